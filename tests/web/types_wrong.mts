// Programs that the types refuse, each line for one reason. types.mjs gives it to the compiler, which also refuses a line
// that is right here. It is not run.
import {ml, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, extensions, configure, install} from '../../examples/build/web/webnn.mjs';
import type {MLOperandDataType} from '../../examples/build/web/webnn.mjs';

declare const context: MLContext, graph: MLGraph, tensor: MLTensor, x: MLOperand, builder: MLGraphBuilder;
// @ts-expect-error: no such numerics
ml.createContext({numerics: 'best'});
// @ts-expect-error: threads are a number
ml.createContext({threads: 'all'});
// @ts-expect-error: no such option
ml.createContext({deviceType: 'gpu'});
// @ts-expect-error: no one makes a context so
new MLContext();
// @ts-expect-error: nor an operand
new MLOperand();
// @ts-expect-error: a builder has a context
new MLGraphBuilder();
// @ts-expect-error: a tensor is not a graph, though both have destroy()
context.dispatch(tensor, {}, {});
// @ts-expect-error: operands are not tensors
context.dispatch(graph, {x}, {});
// @ts-expect-error: the data type is missing
context.createTensor({shape: [2]});
// @ts-expect-error: no such data type
context.createTensor({dataType: 'float64', shape: [2]});
// @ts-expect-error: numbers are in an array
context.writeTensor(tensor, [1, 2]);
// @ts-expect-error: the bytes come as a promise
new Float32Array(context.readTensor(tensor));
// @ts-expect-error: with an array of the caller there are no bytes
const bytes: ArrayBuffer = await context.readTensor(tensor, new Float32Array(2));
// @ts-expect-error: the second operand is missing
builder.add(x);
// @ts-expect-error: a number is no operand
builder.add(x, 1);
// @ts-expect-error: an operand of a promise
builder.relu(builder.build({x}));
// @ts-expect-error: no such operator
builder.relu6(x);
// @ts-expect-error: no such option of this operator
builder.softmax(x, 1, {axis: 1});
// @ts-expect-error: no such layout of filters
builder.conv2d(x, x, {filterLayout: 'iohw'});
// @ts-expect-error: an option's sequence is not one number
builder.conv2d(x, x, {strides: 2});
// @ts-expect-error: text is no sequence of numbers
builder.reshape(x, '23');
// @ts-expect-error: shapes of operands cannot be written to
x.shape[0] = 2;
// @ts-expect-error: nor can they be replaced
x.dataType = 'int8';
// @ts-expect-error: lstm makes several operands
const one: MLOperand = builder.lstm(x, x, x, 1, 1);
// @ts-expect-error: outputs have names
builder.build([x]);
// @ts-expect-error: no such activation
builder.gru(x, x, x, 1, 1, {activations: ['gelu']});
// @ts-expect-error: neither a number nor a BigInt
builder.clamp(x, {minValue: '0'});
// @ts-expect-error: of a tensor there is no text
extensions.print(tensor);
// @ts-expect-error: steps are promised
const steps: string = extensions.steps(graph);
// @ts-expect-error: no such tolerance
extensions.compare('float32', new Float32Array(1), new Float32Array(1), {rtol: 1});
// @ts-expect-error: modules are given as bytes or a response, not as an address
configure({wasm: 'webnn.wasm'});
// @ts-expect-error: it is installed in an object
install('window');
// @ts-expect-error: sizes that are operands are no list
extensions.reshapeDynamic(builder, x, [2, 3]);
// @ts-expect-error: the builder comes first
extensions.donate(x, x);
// @ts-expect-error: a name is text
extensions.dimension(builder, 3);
// @ts-expect-error: limits may be missing, as their interface says
context.opSupportLimits().add.a;
const type: MLOperandDataType = 'int4'; // which opSupportLimits() names
