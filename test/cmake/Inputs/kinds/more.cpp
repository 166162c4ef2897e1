std::vector<int> more; // the header is precompiled
