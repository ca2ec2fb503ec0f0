/** The part of openapi-to-postmanv2 that is used here; the package has no types. */
declare module 'openapi-to-postmanv2' {
  interface Conversion {
    readonly result: boolean;
    readonly reason?: string;
    readonly output?: readonly { readonly type: string; readonly data: unknown }[];
  }
  export function convertV2(
    input: { readonly type: 'json'; readonly data: unknown },
    options: object,
    callback: (error: Error | null, conversion?: Conversion) => void,
  ): void;
}
