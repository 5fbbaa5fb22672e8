// Loops and branches, with values from outside their regions.
module {
  func.func public @main() {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %v = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %w = call @double(%v) : (tensor<2xf32>) -> tensor<2xf32>
    // %w is carried along; the constants are written down in the regions again.
    %0:2 = stablehlo.while(%i = %zero, %sum = %v) : tensor<i32>, tensor<2xf32>
     cond {
      %4 = stablehlo.compare  LT, %i, %ten,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = stablehlo.add %i, %one : tensor<i32>
      %5 = stablehlo.add %sum, %w : tensor<2xf32>
      stablehlo.return %4, %5 : tensor<i32>, tensor<2xf32>
    }
    check.expect_eq_const %0#0, dense<10> : tensor<i32>
    check.expect_eq_const %0#1, dense<[21.0, 42.0]> : tensor<2xf32>
    %true = stablehlo.constant dense<true> : tensor<i1>
    %1 = "stablehlo.if"(%true) ({
      %4 = stablehlo.add %w, %v : tensor<2xf32>
      stablehlo.return %4 : tensor<2xf32>
    }, {
      stablehlo.return %v : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    check.expect_eq_const %1, dense<[3.0, 6.0]> : tensor<2xf32>
    %2:2 = "stablehlo.case"(%one) ({
      stablehlo.return %v, %zero : tensor<2xf32>, tensor<i32>
    }, {
      %4 = "stablehlo.if"(%true) ({
        %5 = func.call @double(%w) : (tensor<2xf32>) -> tensor<2xf32>
        stablehlo.return %5 : tensor<2xf32>
      }, {
        stablehlo.return %w : tensor<2xf32>
      }) : (tensor<i1>) -> tensor<2xf32>
      stablehlo.return %4, %ten : tensor<2xf32>, tensor<i32>
    }) : (tensor<i32>) -> (tensor<2xf32>, tensor<i32>)
    check.expect_eq_const %2#0, dense<[4.0, 8.0]> : tensor<2xf32>
    check.expect_eq_const %2#1, dense<10> : tensor<i32>
    // A state of one value, and a loop in a loop.
    %3 = stablehlo.while(%i = %zero) : tensor<i32> attributes {note = "nested"}
    cond {
      %4 = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4:2 = stablehlo.while(%k = %zero, %n = %i) : tensor<i32>, tensor<i32> cond {
        %5 = stablehlo.compare LT, %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %5 : tensor<i1>
      } do {
        %5 = stablehlo.add %k, %one : tensor<i32>
        %6 = stablehlo.add %n, %one : tensor<i32>
        %7 = stablehlo.maximum %6, %i : tensor<i32>
        stablehlo.return %5, %7 : tensor<i32>, tensor<i32>
      }
      stablehlo.return %4#1 : tensor<i32>
    }
    check.expect_eq_const %3, dense<10> : tensor<i32>
    func.return
  }
  func.func private @double(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
