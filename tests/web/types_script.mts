// A program for pages with the script webnn.js, whose types are global; and the module's types beside them, as beside those
// of a DOM library that knows the interface. types.mjs gives it to the compiler. It is not run.
import type {MLContext as ContextOfModule, MLOperand as OperandOfModule} from '../../examples/build/web/webnn.mjs';

webnn.configure({wasm: fetch('webnn.wasm')});
const context: MLContext = await navigator.ml.createContext({numerics: 'reference'}), builder = new MLGraphBuilder(context);
const descriptor: MLOperandDescriptor = {dataType: 'float32', shape: [2]}, y: MLOperand = builder.relu(builder.input('x', descriptor));
const graph: MLGraph = await builder.build({y}), text: string = webnn.extensions.print(graph);
const isGraph: boolean = (text as unknown) instanceof MLGraph && (graph as unknown) instanceof webnn.interfaces.MLGraph;
// @ts-expect-error: no such option
builder.gemm(y, y, {transpose: isGraph});
// @ts-expect-error: a graph is not a context
new MLGraphBuilder(graph);
// A function for one takes the other.
const takes = (c: ContextOfModule, o: OperandOfModule): [MLContext, MLOperand] => [c, o];
takes(context, y);
