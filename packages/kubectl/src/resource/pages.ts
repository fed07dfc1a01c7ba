interface Page {
  readonly metadata?: { readonly continue?: string };
}

/** Follows the continue tokens of a list, which is empty on its last page. `read` gets the token of the page before. */
export async function* pages<L extends Page>(
  read: (token: string | undefined) => Promise<L>,
): AsyncGenerator<L> {
  let token: string | undefined;
  do {
    const page = await read(token);
    yield page;
    token = page.metadata?.continue || undefined;
  } while (token !== undefined);
}
