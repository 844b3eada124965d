//! The operations, as every device offers them.

use crate::{AdamStep, CheckedSamples, ComputeError, Crew, DenseShape, LayerActivation, TableShape, UnitActivation};

/// What a dense layer reads: numbers as they lie, or the sums of a table through their activation.
#[derive(Debug)]
pub enum Input<'a, D: Device> {
    /// `[sample][input]`.
    Plain(&'a D::Numbers),
    /// The sums of a table.
    Sums(&'a D::Sums, LayerActivation),
}

impl<D: Device> Clone for Input<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Device> Copy for Input<'_, D> {}

/// Something that can train: memory and operations with their gradients.
///
/// Gradients of numbers that belong to a sample are those of its own loss; where samples are added up, `scale` (one over
/// the batch) makes them gradients of the mean.
pub trait Device: Sized + Send + Sync {
    /// Floats on the device.
    type Numbers: std::fmt::Debug + Send + Sync;
    /// A table's sums for every view of every sample.
    type Sums: std::fmt::Debug + Send + Sync;
    /// The gradients of such sums.
    type SumGradients: std::fmt::Debug + Send + Sync;
    /// A batch on the device.
    type Batch: std::fmt::Debug + Send + Sync;
    /// A table as the forward pass reads it, and what its gradients need.
    type Table: std::fmt::Debug + Send + Sync;
    /// Narrow tables whose weights go directly to the value.
    type Direct: std::fmt::Debug + Send + Sync;

    /// The device in words.
    fn describe(&self) -> String;

    /// The threads that its operations run on, for whoever calls many of them.
    fn crew(&self) -> Crew {
        Crew::default()
    }

    /// Puts numbers on the device.
    fn numbers(&self, values: &[f32]) -> Result<Self::Numbers, ComputeError>;

    /// As many zeros.
    fn zeros(&self, count: usize) -> Result<Self::Numbers, ComputeError>;

    /// Reads numbers back.
    fn read(&self, numbers: &Self::Numbers) -> Result<Vec<f32>, ComputeError>;

    /// Room for the sums of a batch.
    fn sums(&self, samples: usize, views: usize, width: usize) -> Result<Self::Sums, ComputeError>;

    /// Room for their gradients.
    fn sum_gradients(&self, samples: usize, views: usize, width: usize) -> Result<Self::SumGradients, ComputeError>;

    /// Puts a batch on the device.
    fn batch(&self, samples: &CheckedSamples) -> Result<Self::Batch, ComputeError>;

    /// A table without content; `most_active` bounds how many rows a view of a sample has.
    fn table(
        &self,
        shape: TableShape,
        samples: usize,
        views: usize,
        most_active: usize,
    ) -> Result<Self::Table, ComputeError>;

    /// A narrow table without content.
    fn direct(&self, shape: TableShape) -> Result<Self::Direct, ComputeError>;

    /// Makes a table from its rows and coarse rows; with `steps` above 0 rounded to that many steps a unit.
    fn refresh_table(
        &self,
        table: &mut Self::Table,
        rows: &Self::Numbers,
        coarse: Option<&Self::Numbers>,
        steps: f32,
    ) -> Result<(), ComputeError>;

    /// The same for a narrow one, never rounded.
    fn refresh_direct(
        &self,
        direct: &mut Self::Direct,
        rows: &Self::Numbers,
        coarse: Option<&Self::Numbers>,
    ) -> Result<(), ComputeError>;

    /// Copies numbers, rounded to so many steps a unit, or as they are if `steps` is 0.
    fn round(&self, from: &Self::Numbers, to: &mut Self::Numbers, steps: f32) -> Result<(), ComputeError>;

    /// Sums of biases and active rows; `rows` are those that the table was last made from.
    fn table_forward(
        &self,
        table: &Self::Table,
        rows: &Self::Numbers,
        biases: &Self::Numbers,
        batch: &Self::Batch,
        sums: &mut Self::Sums,
    ) -> Result<(), ComputeError>;

    /// May begin with what the gradients of a table need of the batch alone, beside the operations that follow; the next
    /// [`Self::table_backward`] of this table must be for the same batch.
    ///
    /// # Errors
    ///
    /// When the device fails.
    fn begin_table_backward(&self, _table: &mut Self::Table, _batch: &Self::Batch) -> Result<(), ComputeError> {
        Ok(())
    }

    /// Gradients of all rows, coarse rows and biases; those of rows that were not active are 0.
    #[expect(clippy::too_many_arguments, reason = "an operation with three results")]
    fn table_backward(
        &self,
        table: &mut Self::Table,
        batch: &Self::Batch,
        gradients: &Self::SumGradients,
        scale: f32,
        rows: &mut Self::Numbers,
        coarse: Option<&mut Self::Numbers>,
        biases: &mut Self::Numbers,
    ) -> Result<(), ComputeError>;

    /// Adds half the difference of both views' direct weights to the values; `rows` as in [`Self::table_forward`].
    fn direct_forward(
        &self,
        direct: &Self::Direct,
        rows: &Self::Numbers,
        batch: &Self::Batch,
        values: &mut Self::Numbers,
    ) -> Result<(), ComputeError>;

    /// Gradients of the direct weights.
    fn direct_backward(
        &self,
        direct: &mut Self::Direct,
        batch: &Self::Batch,
        value_gradients: &Self::Numbers,
        scale: f32,
        rows: &mut Self::Numbers,
        coarse: Option<&mut Self::Numbers>,
    ) -> Result<(), ComputeError>;

    /// The sums of a dense layer, `[sample][output]`.
    fn dense_forward(
        &self,
        shape: DenseShape,
        input: Input<'_, Self>,
        weights: &Self::Numbers,
        biases: &Self::Numbers,
        batch: &Self::Batch,
        out: &mut Self::Numbers,
    ) -> Result<(), ComputeError>;

    /// Gradients of a dense layer's weights and biases.
    #[expect(clippy::too_many_arguments, reason = "an operation with two results")]
    fn dense_backward(
        &self,
        shape: DenseShape,
        input: Input<'_, Self>,
        gradients: &Self::Numbers,
        batch: &Self::Batch,
        scale: f32,
        weights: &mut Self::Numbers,
        biases: &mut Self::Numbers,
    ) -> Result<(), ComputeError>;

    /// Gradients of a dense layer's plain input.
    fn input_gradients(
        &self,
        shape: DenseShape,
        weights: &Self::Numbers,
        gradients: &Self::Numbers,
        batch: &Self::Batch,
        out: &mut Self::Numbers,
    ) -> Result<(), ComputeError>;

    /// Gradients of the sums behind a dense layer's input.
    #[expect(clippy::too_many_arguments, reason = "the activation is part of the operation")]
    fn gradients_of_sums(
        &self,
        shape: DenseShape,
        sums: &Self::Sums,
        activation: LayerActivation,
        weights: &Self::Numbers,
        gradients: &Self::Numbers,
        batch: &Self::Batch,
        out: &mut Self::SumGradients,
    ) -> Result<(), ComputeError>;

    /// Activates the first `width` of a layer's sums in every way given, one way behind the other.
    #[expect(clippy::too_many_arguments, reason = "sizes of two layers meet here")]
    fn activate(
        &self,
        sums: &Self::Numbers,
        width: usize,
        outputs: usize,
        ways: &[UnitActivation],
        gain: f32,
        batch: &Self::Batch,
        out: &mut Self::Numbers,
    ) -> Result<(), ComputeError>;

    /// Gradients of a layer's sums; a sum behind the width has that of the value.
    #[expect(clippy::too_many_arguments, reason = "sizes of two layers meet here")]
    fn activate_backward(
        &self,
        sums: &Self::Numbers,
        gradients: &Self::Numbers,
        value_gradients: &Self::Numbers,
        width: usize,
        outputs: usize,
        ways: &[UnitActivation],
        gain: f32,
        batch: &Self::Batch,
        out: &mut Self::Numbers,
    ) -> Result<(), ComputeError>;

    /// Adds one column of a layer's sums to the values.
    fn add_column(
        &self,
        sums: &Self::Numbers,
        outputs: usize,
        column: usize,
        batch: &Self::Batch,
        values: &mut Self::Numbers,
    ) -> Result<(), ComputeError>;

    /// The loss |s(slope · value) − target|^power, and its gradients; the mean loss goes to `losses` at `place`.
    #[expect(clippy::too_many_arguments, reason = "an operation with two results")]
    fn value_loss(
        &self,
        values: &Self::Numbers,
        batch: &Self::Batch,
        slope: f32,
        power: f32,
        gradients: &mut Self::Numbers,
        losses: &mut Self::Losses,
        place: usize,
    ) -> Result<(), ComputeError>;

    /// The loss of triplets P, Q, R (the played move leads from P to Q, another one to R): −log s(R − Q) + weight · (s(P) − s(−Q))², values times slope; the mean a triplet goes to `losses`.
    #[expect(clippy::too_many_arguments, reason = "an operation with two results")]
    fn ranking_loss(
        &self,
        values: &Self::Numbers,
        batch: &Self::Batch,
        slope: f32,
        weight: f32,
        gradients: &mut Self::Numbers,
        losses: &mut Self::Losses,
        place: usize,
    ) -> Result<(), ComputeError>;

    /// A list of losses, so that they need not be waited for one by one.
    type Losses: std::fmt::Debug + Send + Sync;

    /// Room for so many losses.
    fn losses(&self, count: usize) -> Result<Self::Losses, ComputeError>;

    /// Reads them.
    fn read_losses(&self, losses: &Self::Losses) -> Result<Vec<f64>, ComputeError>;

    /// A step of Adam.
    fn adam(
        &self,
        values: &mut Self::Numbers,
        gradients: &Self::Numbers,
        momentum: &mut Self::Numbers,
        variance: &mut Self::Numbers,
        step: AdamStep,
    ) -> Result<(), ComputeError>;

    /// Waits until everything asked for is done.
    fn finish(&self) -> Result<(), ComputeError>;
}
