"""Questions about C++ as D asks them: `extern (C++)`, which names, lays out and calls as C++ does, without a C++ compiler."""
