//! Solving symmetric systems of equations (Cholesky's factorisation).

/// The lower triangle L of a positive definite matrix A = L Lᵀ.
#[derive(Clone, Debug)]
pub(super) struct Cholesky {
    /// Row by row; what lies above the diagonal means nothing.
    lower: Vec<f64>,
    size: usize,
}

impl Cholesky {
    /// Factors a matrix given row by row; `None` if it is not positive definite.
    pub(super) fn of(mut matrix: Vec<f64>, size: usize) -> Option<Self> {
        for row in 0..size {
            for column in 0..=row {
                let product: f64 =
                    (0..column).map(|inner| matrix[row * size + inner] * matrix[column * size + inner]).sum();
                let rest = matrix[row * size + column] - product;
                if row == column {
                    if rest.is_nan() || rest <= 0.0 {
                        return None;
                    }
                    matrix[row * size + column] = rest.sqrt();
                } else {
                    matrix[row * size + column] = rest / matrix[column * size + column];
                }
            }
        }
        Some(Self { lower: matrix, size })
    }

    /// The x with A x = b.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (lower, size) = (&self.lower, self.size);
        let mut solution = right.to_vec();
        for row in 0..size {
            let sum: f64 = (0..row).map(|column| lower[row * size + column] * solution[column]).sum();
            solution[row] = (solution[row] - sum) / lower[row * size + row];
        }
        for row in (0..size).rev() {
            let sum: f64 = (row + 1..size).map(|below| lower[below * size + row] * solution[below]).sum();
            solution[row] = (solution[row] - sum) / lower[row * size + row];
        }
        solution
    }

    /// The inverse of A, row by row.
    pub(super) fn inverse(&self) -> Vec<f64> {
        let mut inverse = Vec::with_capacity(self.size * self.size);
        let mut unit = vec![0.0; self.size];
        for row in 0..self.size {
            unit.fill(0.0);
            unit[row] = 1.0;
            // The inverse is symmetric: its columns are its rows.
            inverse.extend(self.solve(&unit));
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_solved() {
        let matrix = vec![4.0, 2.0, 0.6, 2.0, 5.0, 1.0, 0.6, 1.0, 3.0];
        let factored = Cholesky::of(matrix.clone(), 3).unwrap();
        let solution = factored.solve(&[1.0, -2.0, 0.5]);
        for (row, expected) in [1.0, -2.0, 0.5].into_iter().enumerate() {
            let sum: f64 = (0..3).map(|column| matrix[row * 3 + column] * solution[column]).sum();
            assert!((sum - expected).abs() < 1e-12);
        }
        let inverse = factored.inverse();
        let product: f64 = (0..3).map(|inner| matrix[inner] * inverse[inner * 3]).sum();
        assert!((product - 1.0).abs() < 1e-12);
        assert!(Cholesky::of(vec![1.0, 2.0, 2.0, 1.0], 2).is_none());
    }
}
