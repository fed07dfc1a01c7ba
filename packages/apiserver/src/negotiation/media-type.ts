/** The media types that the server supports, in upstream's order of preference. */

export type Media = 'json' | 'yaml' | 'protobuf';

export interface MediaType {
  readonly media: Media;
  readonly subtype: string;
  readonly contentType: string;
  /** Whether watches can be encoded in it. */
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

/** The media type of a Content-Type header in lower case; undefined if invalid. */
export function parseContentType(header: string): string | undefined {
  const semicolon = header.indexOf(';');
  const mediaType = (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase();
  return /^[\w!#$&^.+*'%~-]+\/[\w!#$&^.+*'%~-]+$/.test(mediaType) ? mediaType : undefined;
}
