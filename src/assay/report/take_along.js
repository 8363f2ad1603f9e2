// Each figure as PNG, made from its SVG when somebody asks for it: inside the report they would weigh too much.
const DOTS_A_CM = 300 / 2.54;

/** @param {string} source @returns {Promise<HTMLImageElement>} */
async function drawing(source) {
  const image = new Image();
  image.src = source;
  await image.decode();
  return image;
}

/** @param {string} source @param {number} centimetres @returns {Promise<Blob | null>} */
async function asPng(source, centimetres) {
  const image = await drawing(source);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(centimetres * DOTS_A_CM);
  canvas.height = Math.round((canvas.width * image.naturalHeight) / image.naturalWidth);
  const paper = canvas.getContext("2d");
  if (!paper) return null;
  paper.fillStyle = "#ffffff";
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** @param {Blob} file @param {string} name */
function save(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[download$=".svg"]'))) {
  const button = document.createElement("button");
  button.type = "button";
  button.innerHTML = link.innerHTML.replace("SVG", "PNG");
  button.addEventListener("click", async () => {
    const file = await asPng(link.href, Number(link.dataset.cm));
    if (file) save(file, link.download.replace(/svg$/, "png"));
  });
  link.after(" ", button);
}
