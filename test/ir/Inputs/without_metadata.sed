# LLVM's text without metadata: its numbers depend on how much there is.
/^!/d
s/, ![a-zA-Z_.]* ![0-9]*//g
s/ ![a-zA-Z_.]* ![0-9]*//g
s/![0-9][0-9]*/!/g
