/** The part of fontkit 2 that letters use; the package has no types of its own. */
declare module 'fontkit' {
  export interface Font {
    readonly postscriptName: string;
    hasGlyphForCodePoint(codePoint: number): boolean;
  }
  export interface Collection {
    readonly fonts: readonly Font[];
  }
  export function create(bytes: Buffer, postscriptName?: string): Font | Collection;
}
