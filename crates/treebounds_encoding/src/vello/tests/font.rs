//! The smallest TrueType font that has an outline to draw.

/// A font of 1,000 units to the em. Glyph 0 is empty; glyph 1 is filled from
/// (0, 0) to (500, 700).
pub(super) fn square() -> Vec<u8> {
    let glyph = [
        words(&[1, 0, 0, 500, 700, 3, 0]),
        vec![1; 4],
        words(&[0, 500, 0, -500]),
        words(&[0, 0, 700, 0]),
    ]
    .concat();
    let end = glyph.len() as i16;
    // Tables are found by a search, so they stand in the order of their names.
    table_directory(&[
        (b"glyf", glyph),
        (b"head", head()),
        (b"hhea", [words(&[1, 0]), words(&[0; 15]), words(&[1])].concat()),
        (b"hmtx", words(&[500, 0, 0])),
        (b"loca", words(&[0, 0, 0, 0, 0, end])),
        (b"maxp", [words(&[1, 0, 2, 4, 1]), words(&[0; 11])].concat()),
    ])
}

/// Version, revision, checksum, magic number, flags, units to the em, two dates,
/// box, style, smallest size, direction, long offsets in `loca`, format.
fn head() -> Vec<u8> {
    let magic = 0x5F0F_3CF5_u32.to_be_bytes().to_vec();
    let rest = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 500, 700, 0, 0, 0, 1, 0];
    [words(&[1, 0, 0, 0, 0, 0]), magic, words(&[0, 1000]), words(&rest)].concat()
}

fn words(words: &[i16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// The header, a record for each table, and the tables.
fn table_directory(tables: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut font = [words(&[1, 0, tables.len() as i16]), words(&[0; 3])].concat();
    let mut offset = 12 + 16 * tables.len();
    for (name, table) in tables {
        font.extend_from_slice(*name);
        font.extend([0; 4]);
        font.extend((offset as u32).to_be_bytes());
        font.extend((table.len() as u32).to_be_bytes());
        offset += table.len();
    }
    tables.iter().for_each(|(_, table)| font.extend(table));
    font
}
