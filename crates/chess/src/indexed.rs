//! The one shape shared by all small vocabularies: an enum whose variants count up from zero.

/// Declares an enum with `COUNT`, `ALL`, `index`, `from_index` and a masked constructor for hot loops.
///
/// The constructors are plain matches; the optimiser recognises them as the identity.
macro_rules! indexed_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident: mask $mask:literal {
            $($(#[$variant_meta:meta])* $variant:ident = $value:literal,)+
        }
        else $fallback:ident
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$variant_meta])* $variant = $value,)+
        }

        impl $name {
            /// Every value in ascending order.
            pub const ALL: [Self; [$($value),+].len()] = [$(Self::$variant),+];

            /// How many values there are.
            pub const COUNT: usize = Self::ALL.len();

            /// The place of this value in [`Self::ALL`].
            #[inline(always)]
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The value at a place of [`Self::ALL`], if there is one.
            #[inline]
            #[must_use]
            pub const fn from_index(index: usize) -> Option<Self> {
                match index {
                    $($value => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The value at `index`, of which only the low bits count.
            #[allow(dead_code, reason = "not every vocabulary is indexed in a hot loop")]
            #[inline(always)]
            pub(crate) const fn masked(index: u8) -> Self {
                match index & $mask {
                    $($value => Self::$variant,)+
                    #[allow(unreachable_patterns, reason = "vocabularies that fill their mask")]
                    _ => Self::$fallback,
                }
            }
        }
    };
}

pub(crate) use indexed_enum;
