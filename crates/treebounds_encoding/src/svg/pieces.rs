//! Drawings of more elements than usvg reads at once: they are read in pieces, whose elements make one scene.

mod whole;

use super::fonts::Fonts;
use super::parse::{self, Parsed};
use super::{DeepTree, Drawing, Options, SvgError, USVG_ELEMENTS, with_large_stack};
use treebounds_report::{Document, Scene};
use usvg_guard::{Pieces, Refused, count_elements};
use whole::Whole;

/// An SVG of any number of elements, read.
#[derive(Debug)]
pub struct Large {
    /// The elements.
    pub scene: Scene,
    /// The objects of the file, and which of them each element came from.
    pub document: Document,
    /// The parsed file, where it was read at once: see [`Drawing::tree`]. [`trees_in_pieces`] gives the trees of one that
    /// was read in pieces.
    pub tree: Option<DeepTree>,
}

impl From<Drawing> for Large {
    fn from(drawing: Drawing) -> Self {
        let Drawing { scene, document, tree } = drawing;
        Self { scene, document, tree: Some(tree) }
    }
}

/// How far a drawing in pieces is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The piece that is read now, from 1.
    pub piece: usize,
    /// How many there are.
    pub pieces: usize,
}

/// Reads an `.svg` or `.svgz` file of any number of elements: at once, if usvg can, else in pieces. Calls back before
/// each piece.
///
/// Of a drawing in pieces no more than one piece is in memory as a tree: 4 million `<rect/>` take 40 s of one core and 1.3 GB.
///
/// # Errors
/// [`SvgError`] says what is wrong with the file; [`Refused::NotInPieces`] why a drawing is too large.
pub fn encode_large(
    data: &[u8],
    options: &Options,
    told: &mut (dyn FnMut(Progress) + Send),
) -> Result<Large, SvgError> {
    with_large_stack(|| {
        let text = usvg_guard::text(data, &options.limits())?;
        let is_small = count_elements(&text) <= USVG_ELEMENTS;
        if is_small {
            let read = super::whole(&text, options).map(Large::from);
            return if is_too_many(&read) { in_pieces(&text, options, told) } else { read };
        }
        let cut = in_pieces(&text, options, told);
        if !matches!(cut, Err(SvgError::Refused(Refused::NotInPieces { .. }))) {
            return cut;
        }
        // Elements that are not SVG's were counted, too.
        let read = super::whole(&text, options).map(Large::from);
        if is_too_many(&read) { cut } else { read }
    })?
}

/// Whether a drawing was refused because it is too large to be read at once.
fn is_too_many(read: &Result<Large, SvgError>) -> bool {
    use Refused::{TooManyElements, TooManyNodes, TooManyUsed};
    let Err(SvgError::Refused(why)) = read else { return false };
    matches!(why, TooManyElements { .. } | TooManyNodes { .. } | TooManyUsed { .. })
}

/// Reads an `.svg` or `.svgz` file in pieces, however small it is.
///
/// The elements are those that [`encode`](super::encode) gives. Some things differ:
///
/// - of two objects with one id in different pieces, [`encode`](super::encode) takes the elements of both for the first's; here
///   they are the second's, or nobody's, where what is repeated in its piece has that id;
/// - an image without an id that is alone in its piece of a group goes by that group's id;
/// - ids that usvg makes up for clip paths and masks are numbered piece by piece;
/// - a side of a filter, mask or pattern that vanishes beside the largest coordinate is left out, and so are coordinates
///   beyond 10^30 where there is such a region: beside what is in one piece, not in all the drawing.
///
/// # Errors
/// As of [`encode_large`].
pub fn encode_in_pieces(
    data: &[u8],
    options: &Options,
    told: &mut (dyn FnMut(Progress) + Send),
) -> Result<Large, SvgError> {
    with_large_stack(|| in_pieces(&usvg_guard::text(data, &options.limits())?, options, told))?
}

/// Reads a drawing in pieces, to paint it: the trees are to be painted one over the other. They are all of one size.
///
/// # Errors
/// As of [`encode_large`].
pub fn trees_in_pieces(
    data: &[u8],
    options: &Options,
    paint: &mut (dyn FnMut(&DeepTree) + Send),
) -> Result<(), SvgError> {
    with_large_stack(|| {
        let text = usvg_guard::text(data, &options.limits())?;
        let (mut pieces, fonts) =
            (Pieces::of(&text, options.piece_elements, &options.limits())?, Fonts::new(options));
        read(&mut pieces, options, &fonts, &mut |_| {}, |parsed| {
            paint(&DeepTree::new(parsed.tree, parsed.depth));
            Ok(())
        })
    })?
}

fn in_pieces(
    text: &str,
    options: &Options,
    told: &mut (dyn FnMut(Progress) + Send),
) -> Result<Large, SvgError> {
    let (mut pieces, fonts) =
        (Pieces::of(text, options.piece_elements, &options.limits())?, Fonts::new(options));
    let frame = parse::parse(&pieces.frame(), options, &fonts, |_, _| Ok(()))?;
    let mut whole = Whole::new(&frame.tree);
    read(&mut pieces, options, &fonts, told, |parsed| whole.add(parsed))?;
    let (scene, document) = whole.finish(fonts.notes())?;
    Ok(Large { scene, document, tree: None })
}

/// Reads the pieces one after the other.
fn read(
    pieces: &mut Pieces,
    options: &Options,
    fonts: &Fonts,
    told: &mut (dyn FnMut(Progress) + Send),
    mut each: impl FnMut(Parsed) -> Result<(), SvgError>,
) -> Result<(), SvgError> {
    for piece in 0..pieces.count() {
        told(Progress { piece: piece + 1, pieces: pieces.count() });
        let text = pieces.text(piece);
        let parsed =
            parse::parse(&text, options, fonts, |checked, limits| pieces.check(checked, limits))?;
        pieces.pay(parsed.images, &options.limits())?;
        each(parsed)?;
    }
    Ok(())
}
