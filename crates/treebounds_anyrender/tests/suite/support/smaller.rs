//! Makes a list that fails smaller, for the message of a test.

use anyrender::recording::{RenderCommand, Scene};

/// Leaves out draws, and pushes with their pops, while the list still fails.
pub fn smallest(scene: &Scene, fails: impl Fn(&Scene) -> bool) -> Scene {
    let mut scene = scene.clone();
    let mut index = 0;
    while index < scene.commands.len() {
        let smaller = without(&scene, index);
        if let Some(smaller) = smaller.filter(&fails) {
            scene = smaller;
            index = 0;
        } else {
            index += 1;
        }
    }
    scene
}

fn without(scene: &Scene, index: usize) -> Option<Scene> {
    let mut smaller = scene.clone();
    match scene.commands[index] {
        RenderCommand::PopLayer => return None,
        RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_) => {
            let mut depth = 0;
            let pop = (index..scene.commands.len()).find(|at| {
                match scene.commands[*at] {
                    RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_) => depth += 1,
                    RenderCommand::PopLayer => depth -= 1,
                    _ => {}
                }
                depth == 0
            })?;
            smaller.commands.remove(pop);
            smaller.commands.remove(index);
        }
        _ => _ = smaller.commands.remove(index),
    }
    Some(smaller)
}
