// The size in bytes of what an expression is, and a word of a value, which is 0 behind it.
@inline(__always) func abi_size<T>(_ one: @autoclosure () -> T) -> Int64 { Int64(MemoryLayout<T>.size) }
struct AbiPadded<T> { var one: T; var rest: UInt64 = 0 }
@inline(__always) func abi_word<T>(_ one: T, _ at: Int) -> Int64 {
  if at + 8 > MemoryLayout<AbiPadded<T>>.size { return 0 }
  return withUnsafePointer(to: AbiPadded(one: one)) { UnsafeRawPointer($0).loadUnaligned(fromByteOffset: at, as: Int64.self) }
}
