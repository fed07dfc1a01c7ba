/** The encodings that the server speaks, in the original's order of preference. */

export type Media = 'json' | 'yaml' | 'protobuf';

export interface MediaType {
  readonly media: Media;
  readonly subtype: string;
  readonly contentType: string;
  /** Whether watches can be sent in it. */
  readonly streams: boolean;
}

export const mediaTypes: readonly MediaType[] = [
  { media: 'json', subtype: 'json', contentType: 'application/json', streams: true },
  { media: 'yaml', subtype: 'yaml', contentType: 'application/yaml', streams: false },
  {
    media: 'protobuf',
    subtype: 'vnd.kubernetes.protobuf',
    contentType: 'application/vnd.kubernetes.protobuf',
    streams: true,
  },
];

/** Custom resources have no protobuf form. */
export const mediaTypesWithoutProtobuf: readonly MediaType[] = mediaTypes.filter(
  ({ media }) => media !== 'protobuf',
);

export const contentTypesOf = (types: readonly MediaType[]): readonly string[] =>
  types.map(({ contentType }) => contentType);

export const streamContentTypesOf = (types: readonly MediaType[]): readonly string[] =>
  types.filter(({ streams }) => streams).map(({ contentType }) => `${contentType};stream=watch`);

/** The type and subtype of a Content-Type header in lower case; undefined when it is none. */
export function parseContentType(header: string): string | undefined {
  const semicolon = header.indexOf(';');
  const mediaType = (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase();
  return /^[\w!#$&^.+*'%~-]+\/[\w!#$&^.+*'%~-]+$/.test(mediaType) ? mediaType : undefined;
}
