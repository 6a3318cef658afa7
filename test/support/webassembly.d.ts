/** Node compiles WebAssembly from bytes; a Worker, whose types these tests have, cannot. */
declare namespace WebAssembly {
  function compile(bytes: BufferSource): Promise<Module>;
}
