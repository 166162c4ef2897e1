/* A library with the runtime of another version: all that can be read of it is the version, in its note (Peers.h). */
__asm__(".pushsection .note.tilecc, \"a\", %note\n"
        ".balign 4\n"
        ".long 7, 8, 99\n"
        ".asciz \"TileCC\"\n"
        ".balign 4\n"
        ".quad 0\n"
        ".popsection\n");
