"builtin.module"() <{sym_name = "generic"}> ({
  "func.func"() <{function_type = () -> (tensor<2xi32>, tensor<2xi1>), sym_name = "main", sym_visibility = "public"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[3, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %1:2 = "func.call"(%0, %0) <{callee = @both}> : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi1>)
    %2 = "stablehlo.constant"() {value = dense<[6, 8]> : tensor<2xi32>} : () -> tensor<2xi32>
    "stablehlo.custom_call"(%1#0, %2) <{call_target_name = "check.expect_eq", has_side_effect = true, called_computations = []}> : (tensor<2xi32>, tensor<2xi32>) -> ()
    %3 = "stablehlo.compare"(%1#0, %2) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    "check.expect_eq"(%3, %1#1) : (tensor<2xi1>, tensor<2xi1>) -> ()
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %5 = "stablehlo.slice"(%4) <{start_indices = array<i64: 1>, limit_indices = array<i64: 4>, strides = array<i64: 2>}> : (tensor<4xi32>) -> tensor<2xi32>
    "check.expect_eq_const"(%5) <{value = dense<[1, 3]> : tensor<2xi32>}> : (tensor<2xi32>) -> ()
    %6 = "stablehlo.transpose"(%4) {permutation = dense<0> : tensor<1xi64>} : (tensor<4xi32>) -> tensor<4xi32>
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %10 = "stablehlo.add"(%arg0, %arg1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%10) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    "check.expect_eq_const"(%8) <{value = dense<6> : tensor<i32>}> : (tensor<i32>) -> ()
    %9:2 = "stablehlo.while"(%7, %8) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %10 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%10) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %10 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %11 = "stablehlo.add"(%arg0, %10) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%11, %arg1) : (tensor<i32>, tensor<i32>) -> ()
    }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    "check.expect_eq_const"(%9#0) <{value = dense<8> : tensor<i32>}> : (tensor<i32>) -> ()
    "func.return"(%1#0, %1#1) : (tensor<2xi32>, tensor<2xi1>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi1>), sym_name = "both", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>):
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %1 = "stablehlo.constant"() <{value = dense<true> : tensor<2xi1>}> : () -> tensor<2xi1>
    "func.return"(%0, %1) : (tensor<2xi32>, tensor<2xi1>) -> ()
  }) {mhlo.attribute, other = [1, 2.5 : f32, "text", @both, unit, i32, {nested = true}]} : () -> ()
}) {module.name = "generic"} : () -> ()
