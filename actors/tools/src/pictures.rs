//! Pictures of the screen, and the text in them. Protected fields are black before anybody sees one (PIC-5, PRV-3).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _};
use luna_messages::image::Picture;
use luna_messages::ocr::{OcrMessage, OcrResult, ScreenShot};
use luna_messages::pick::{CaptureScope, PickFailure, SearchedRegion};
use luna_messages::tools::{ToolFailure, ToolFailureKind};
use luna_messages::{Rect, Reply};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::{ToolEnvironment, active, failures};

/// How often a picture is tried again because windows changed meanwhile.
const TRIES: usize = 3;

/// A picture of a region, or of the active window, as PNG.
pub async fn capture(environment: &ToolEnvironment, region: Option<Rect>) -> Result<Value, ToolFailure> {
    let ScreenShot { picture, region } = shot(environment, region).await?;
    let (width, height) = (picture.width, picture.height);
    let copy = picture.clone();
    let encoded = environment.encoder.run(move || png(&copy).map(|file| STANDARD.encode(file))).await;
    if let Ok(mut shadow) = environment.shadow.lock() {
        shadow.picture(picture);
    }
    match encoded {
        Ok(Some(file)) => Ok(json!({
            "mime": "image/png", "width": width, "height": height, "bbox": region, "base64": file,
        })),
        Ok(None) => Err(ToolFailure::new(ToolFailureKind::Failed, "The picture could not be made a file.")),
        Err(silence) => Err(failures::of_silence(silence)),
    }
}

/// The text of a region, or of the active window.
pub async fn recognise(environment: &ToolEnvironment, region: Option<Rect>) -> Result<Value, ToolFailure> {
    let result = recognised(environment, region).await?;
    let lines: Vec<Value> = result
        .blocks
        .iter()
        .map(|block| json!({ "text": block.text, "bbox": block.bbox, "confidence": block.confidence }))
        .collect();
    let answer = json!({ "lines": lines, "lang": result.lang, "low_quality": result.low_quality });
    if let Ok(mut shadow) = environment.shadow.lock() {
        shadow.recognised(result);
    }
    Ok(answer)
}

/// A picture of a region, or of the active window.
pub async fn shot(environment: &ToolEnvironment, region: Option<Rect>) -> Result<ScreenShot, ToolFailure> {
    tried(environment, region, |searched, reply| OcrMessage::Shot { searched, reply }).await
}

/// The same as the engine told it.
pub async fn recognised(environment: &ToolEnvironment, region: Option<Rect>) -> Result<OcrResult, ToolFailure> {
    tried(environment, region, |searched, reply| OcrMessage::Recognise { searched, reply }).await
}

/// Asks Ocr about a region that was searched for protected fields directly before.
async fn tried<T: Send + 'static>(
    environment: &ToolEnvironment,
    region: Option<Rect>,
    message: impl Fn(SearchedRegion, Reply<Result<T, PickFailure>>) -> OcrMessage,
) -> Result<T, ToolFailure> {
    let mut failure = PickFailure::Changed;
    for _ in 0..TRIES {
        let searched = search(environment, region).await?;
        let (sender, answer) = oneshot::channel();
        let reply = Reply::new(move |answer| {
            let _ = sender.send(answer);
        });
        environment.dependencies.ocr.post(message(searched, reply)).map_err(|_| failures::lost())?;
        match answer.await {
            Ok(Ok(Ok(found))) => return Ok(found),
            // A window came or went between the search and the picture (SES-5).
            Ok(Ok(Err(PickFailure::Changed))) => {}
            Ok(Ok(Err(other))) => {
                failure = other;
                break;
            }
            Ok(Err(_)) | Err(_) => return Err(failures::lost()),
        }
    }
    Err(failures::of_pick(failure))
}

/// What of a region may be seen. Windows that can't be searched are hidden in it, but for the active one, which may have no tree.
async fn search(environment: &ToolEnvironment, region: Option<Rect>) -> Result<SearchedRegion, ToolFailure> {
    let windows = active::windows(environment).await;
    let (pointed, region) = match (windows, region) {
        (Ok(windows), None) => (windows.last().cloned(), around(windows.iter().map(|window| window.bounds))),
        (Err(failure), None) => return Err(failure),
        (windows, Some(region)) => {
            let active = windows.ok().and_then(|windows| windows.last().cloned());
            (active.filter(|active| !active.bounds.intersection(region).is_empty()), region)
        }
    };
    let search = environment.dependencies.accessibility.search(pointed.as_ref(), region, CaptureScope::Screen);
    search.await.map_err(failures::of_machine)
}

/// The smallest box around the boxes.
fn around(boxes: impl Iterator<Item = Rect>) -> Rect {
    boxes
        .filter(|one| !one.is_empty())
        .reduce(|one, other| {
            let (x, y) = (one.x.min(other.x), one.y.min(other.y));
            Rect::new(x, y, one.right().max(other.right()) - x, one.bottom().max(other.bottom()) - y)
        })
        .unwrap_or_default()
}

fn png(picture: &Picture) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut file, CompressionType::Fast, FilterType::Sub);
    encoder.write_image(&picture.rgb, picture.width, picture.height, ExtendedColorType::Rgb8).ok()?;
    Some(file)
}
