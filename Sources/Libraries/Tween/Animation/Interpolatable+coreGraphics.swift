// Core Graphics' numbers, points, sizes and rectangles, on platforms that have them.
#if canImport(CoreGraphics)
    public import CoreGraphics

    extension CGFloat: InterpolatableVector {}

    extension CGPoint: InterpolatableVector {
        /// x and y.
        public var coordinates: [Double] { [x, y].map { Double($0) } }

        /// Creates a point from coordinates; missing ones are 0.
        public init(coordinates: [Double]) {
            let numbers = SIMD2<Double>(coordinates: coordinates)
            self.init(x: numbers[0], y: numbers[1])
        }
    }

    extension CGSize: InterpolatableVector {
        /// Width and height.
        public var coordinates: [Double] { [width, height].map { Double($0) } }

        /// Creates a size from coordinates; missing ones are 0.
        public init(coordinates: [Double]) {
            let numbers = SIMD2<Double>(coordinates: coordinates)
            self.init(width: numbers[0], height: numbers[1])
        }
    }

    extension CGRect: InterpolatableVector {
        /// The origin's x and y, the width and the height.
        public var coordinates: [Double] { origin.coordinates + size.coordinates }

        /// Creates a rectangle from coordinates; missing ones are 0.
        public init(coordinates: [Double]) {
            let numbers = SIMD4<Double>(coordinates: coordinates)
            self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
    }
#endif
