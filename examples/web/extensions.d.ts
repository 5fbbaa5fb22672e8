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
  compare(dataType: MLOperandDataType, actual: AllowSharedBufferSource, expected: AllowSharedBufferSource, tolerance?: {ulp?: number; atol?: number}): WebnnComparison;
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
export const ml: ML;
export const extensions: WebnnExtensions;
export function install(target?: any, options?: {replace?: boolean}): ML;
type WebnnModule = BufferSource | Response | WebAssembly.Module | Promise<BufferSource | Response | WebAssembly.Module>;
/** Where the modules come from. With `wasm` alone there are no threads. */
export function configure(options: {wasm?: WebnnModule; threadsWasm?: WebnnModule}): void;
