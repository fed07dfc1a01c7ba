/** What TypeDoc writes about public types, as far as it is read here. */

export interface Project {
  /** One for each library. */
  readonly children: readonly Reflection[];
}

export interface Reflection {
  readonly name: string;
  readonly kind: number;
  readonly comment?: Comment;
  readonly children?: readonly Reflection[];
  readonly signatures?: readonly Reflection[];
  /** Of what is taken over from a type that is described elsewhere. */
  readonly inheritedFrom?: object;
  readonly type?: { readonly type: string; readonly declaration?: Reflection };
}

export interface Comment {
  readonly summary: readonly { readonly text: string }[];
  readonly blockTags?: readonly {
    readonly tag: string;
    readonly content: readonly { readonly text: string }[];
  }[];
}

/** TypeDoc's `ReflectionKind`. */
export const kinds = {
  variable: 32,
  function: 64,
  constructor: 512,
  method: 2048,
  reference: 4_194_304,
} as const;
