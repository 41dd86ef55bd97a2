// Gives a person a file to keep.
function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export const download = (name, text) => save(name, new Blob([text], { type: "text/plain;charset=utf-8" }));

// A drawing as a picture: for another app where the device can share, else as a file.
export async function sharePicture(name, drawing, width, height) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  URL.revokeObjectURL(image.src);
  const content = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const files = [new File([content], name, { type: "image/png" })];
  if (!navigator.canShare?.({ files })) return save(name, content);
  // A person who closes the list of apps wants no file either.
  await navigator.share({ files }).catch(() => {});
}
