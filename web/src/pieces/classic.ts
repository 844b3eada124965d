/** The pieces of Colin M. L. Burnett as chessground brings them. */
import '@lichess-org/chessground/assets/chessground.cburnett.css';
