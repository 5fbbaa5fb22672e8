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
  /** Gives an input's tensor to an output of the same type and shape, which `dispatch` may then bind to both. Returns the output. */
  donate(builder: MLGraphBuilder, input: MLOperand, output: MLOperand): MLOperand;
  /** A number that stands for an open size in the shape of an input of this builder, and in newShape of reshape and expand: the same size
   * wherever the name stands, or any size without one. Shapes of operands that are read back have such numbers; of an operand whose rank
   * is not known the shape is null. */
  dimension(builder: MLGraphBuilder, name?: string): number;
  /** The name of a number in a shape: '' of an open size without a name, undefined of a size. */
  dimensionName(builder: MLGraphBuilder, dimension: number): string | undefined;
  /** The shapes of the outputs for inputs of these shapes, by their names. Nothing is run. */
  computeShapes(graph: MLGraph, shapes: Record<string, Iterable<number>>): Record<string, number[]>;
  // OPERATORS
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
