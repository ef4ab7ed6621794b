//! Which pop belongs to which push.

use crate::Error;
use anyrender::Scene;
use anyrender::recording::RenderCommand;
use treebounds_core::Stream;

/// A layer without a layer around it.
pub(crate) const ROOT: u32 = u32::MAX;

/// Where a layer begins and ends, and what is around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// The index of its push.
    pub(crate) push: usize,
    /// The index of its pop.
    pub(crate) pop: usize,
    /// The layer around it, or [`ROOT`].
    pub(crate) parent: u32,
    /// A backdrop filter inside reads pixels of this layer.
    pub(crate) is_read: bool,
}

/// Finds the layers of the list, in the order of their pushes, and how deep they nest.
///
/// A loop with a stack of its own: depth costs memory, never the call stack.
///
/// # Errors
/// [`Error::TooMany`], [`Error::NothingOpen`], [`Error::StillOpen`].
pub(crate) fn balance(
    scene: &Scene,
    spans: &mut Vec<Span>,
    open: &mut Vec<u32>,
) -> Result<usize, Error> {
    spans.clear();
    open.clear();
    let (commands, most) = (scene.commands.len(), Stream::MAX_LEN);
    if commands > most {
        return Err(Error::TooMany { commands, most });
    }
    let mut depth = 0;
    for (index, command) in scene.commands.iter().enumerate() {
        match command {
            RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_) => {
                let parent = open.last().copied().unwrap_or(ROOT);
                if matches!(command, RenderCommand::PushLayer(layer) if layer.backdrop_filter.is_some())
                {
                    // Those around a layer that is read are read.
                    for layer in open.iter().rev() {
                        let span: &mut Span = &mut spans[*layer as usize];
                        if std::mem::replace(&mut span.is_read, true) {
                            break;
                        }
                    }
                }
                open.push(spans.len() as u32);
                depth = depth.max(open.len());
                spans.push(Span { push: index, pop: index, parent, is_read: false });
            }
            RenderCommand::PopLayer => {
                let layer = open.pop().ok_or(Error::NothingOpen { command: index })?;
                spans[layer as usize].pop = index;
            }
            _ => {}
        }
    }
    match open.last() {
        Some(innermost) => {
            Err(Error::StillOpen { count: open.len(), innermost: spans[*innermost as usize].push })
        }
        None => Ok(depth),
    }
}
