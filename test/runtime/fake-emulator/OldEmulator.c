/* A libtilecc_emu of another time: it lacks most of what a runtime looks for. */
const char *tilecc_emu_error_message(void) { return "no error"; }
