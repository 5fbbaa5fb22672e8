/** What a graph takes, in bytes. */
export interface WebnnMemory { constants: number; prepared: number; arena: number; intermediates: number; description: number; }
/** What a comparison of two buffers found; distances in units in the last place. */
export interface WebnnComparison {
  count: number; different: number; failed: number; firstDifferent: number; firstFailed: number;
  maxUlp: number; maxUlpIndex: number; meanUlp: number; maxAbsolute: number;
}
export interface WebnnExtensions {
  /** The graph as text, and as a drawing for Graphviz. */
  print(graph: MLGraph): string;
  dot(graph: MLGraph): string;
  /** With `on`: starts or stops measuring. Without: the table of times. */
  profile(graph: MLGraph, on?: boolean): Promise<string>;
  /** How the graph runs, a line for each step: its kernel, phases and memory, and why other kernels do not run it. */
  steps(graph: MLGraph): Promise<string>;
  memory(graph: MLGraph): WebnnMemory;
  compare(dataType: MLOperandDataType, actual: ArrayBufferView | ArrayBufferLike, expected: ArrayBufferView | ArrayBufferLike, tolerance?: {ulp?: number; atol?: number}): WebnnComparison;
  /** Where the context's graphs are built and run. */
  thread(context: MLContext): 'worker' | 'calling';
  /** How many threads run the context's graphs, once they have been started, and how many slices of steps others than the worker have run. */
  threads(context: MLContext): Promise<{threads: number; helped: number}>;
  /** The elements of a tensor in the module's memory, to read and write without a copy: of a context on the calling thread, where a
   * dispatch has ended when it returns. Creating anything may move that memory, which detaches the array; then it is to be asked for again. */
  view(tensor: MLTensor): ArrayBufferView;
  /** Bytes that objects hold that were not destroyed, and of the module here and in the worker. */
  held(): {objects: number; module: number};
}
/** Bytes, a Response, a WebAssembly.Module, or a promise of one. */
type WebnnModule = ArrayBufferView | ArrayBufferLike | {arrayBuffer(): Promise<ArrayBuffer>} | object;
export interface Webnn {
  ml: ML;
  interfaces: WebnnInterfaces;
  extensions: WebnnExtensions;
  /** Makes the interfaces properties of a global object, and `ml` that of its navigator; with `replace` false only where there is none. */
  install(target?: object, options?: {replace?: boolean}): ML;
  /** Where the modules come from, before the first createContext. With `wasm` alone there are no threads. */
  configure(options: {wasm?: WebnnModule; threadsWasm?: WebnnModule}): void;
}
