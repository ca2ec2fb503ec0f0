/** Holds up what waits for `passed` until a test opens it. */
export function gate(): { readonly passed: Promise<void>; open: () => void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
