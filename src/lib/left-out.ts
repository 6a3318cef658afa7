/** Stands for parts of libraries that nothing here calls: wrangler.toml names them. */
function leftOut(): never {
  throw new Error("This part of the library is left out of the Worker.");
}

export {
  leftOut as detectExtension,
  leftOut as detectMimeType,
  leftOut as Experimental_DecisionLanguageModel,
  leftOut as Experimental_ExtractionLanguageModel,
};
