const char *name() { return "whole"; }
