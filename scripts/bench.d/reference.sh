# The C program with the same Lua that figures are held against; see reference.cpp.

# The command that replays: reference SHAPE RECORDING
reference() { printf '%s\n' "$bench/reference" "$parts/${kind[$1]}.lua" "${input[$1]}" "$2"; }

build_reference() {
  local shim=Sources/LuaShim flags
  flags=(-O2 -I"$shim" -I"$shim/include" $(pkg-config --cflags lua5.4) -Wno-nullability-completeness)
  "$compiler" "${flags[@]}" -c "$shim/arena.c" -o "$bench/arena.o"
  "$cxx_compiler" -std=c++17 "${flags[@]}" "$parts/reference.cpp" \
    "$shim"/{batch,batch_nodes,json_parse,json_scalars,json_shape,json_tree}.cpp \
    "$bench/arena.o" $(pkg-config --libs lua5.4) -o "$bench/reference"
}
