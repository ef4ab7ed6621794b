//! A scene of nodes in Vello's terms: what its clip stage reads, and what it must
//! write.

use crate::bounds::Scene;
use treebounds_core::{NONE, Rect, Role};
use vello_encoding::{Clip, ConfigUniform, DrawMonoid, Layout, PathBbox};

/// The box around what no clip is around.
const EVERYWHERE: [f32; 4] = [-1e9, -1e9, 1e9, 1e9];

/// Every node is a draw object; every begin has a path.
#[derive(Default)]
pub(super) struct Layers {
    pub(super) config: ConfigUniform,
    pub(super) clips: Vec<Clip>,
    pub(super) paths: Vec<PathBbox>,
    /// Before: what an end takes from its begin is `missing`.
    pub(super) objects: Vec<DrawMonoid>,
    /// What the objects must be in the end.
    pub(super) matched: Vec<DrawMonoid>,
    /// What the boxes must be: of a begin its clip, of an end the clip around it.
    pub(super) boxes: Vec<[f32; 4]>,
}

impl Layers {
    /// The layers of a scene without draws, with `missing` for what is to be found.
    pub(super) fn new(scene: &Scene, missing: u32) -> Self {
        let nodes = scene.tags().len();
        let layout = Layout { n_clips: nodes as u32, ..Layout::default() };
        let mut layers =
            Self { config: ConfigUniform { layout, ..Default::default() }, ..Self::default() };
        for (ix, tag) in (0_u32..).zip(scene.tags()) {
            match tag.role() {
                Role::Draw => (),
                Role::Begin => layers.begin(ix, scene),
                Role::End => layers.end(ix, scene, missing),
            }
        }
        layers
    }

    fn begin(&mut self, ix: u32, scene: &Scene) {
        let path_ix = self.paths.len() as u32;
        self.clips.push(Clip { ix, path_ix: path_ix as i32 });
        let Rect { x0, y0, x1, y1 } = scene.stream.rects()[ix as usize];
        let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(|edge| edge as i32);
        self.paths.push(PathBbox { x0, y0, x1, y1, ..PathBbox::default() });
        // Anything that tells the begins apart.
        let object = DrawMonoid {
            path_ix,
            clip_ix: ix,
            scene_offset: 3 * path_ix,
            info_offset: 5 * path_ix,
        };
        self.objects.push(object);
        self.matched.push(object);
        self.boxes.push(scene.bounds.clips[ix as usize].to_array());
    }

    fn end(&mut self, ix: u32, scene: &Scene, missing: u32) {
        self.clips.push(Clip { ix, path_ix: !(ix as i32) });
        self.objects.push(DrawMonoid {
            path_ix: missing,
            clip_ix: ix,
            scene_offset: missing,
            info_offset: missing,
        });
        // Nodes alone: an element's index is its node's.
        let links = &scene.bounds.links;
        let begin = links[ix as usize] as usize;
        self.matched.push(DrawMonoid { clip_ix: ix, ..self.matched[begin] });
        self.boxes.push(match links[begin] {
            NONE => EVERYWHERE,
            around => scene.bounds.clips[around as usize].to_array(),
        });
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.clips.len()
    }
}
