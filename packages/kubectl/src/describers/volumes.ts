/** Describes volumes of a pod or template. */
import { describeClaimFields, type PersistentVolumeClaim } from './claim.ts';
import type { DescriptionText } from './text.ts';
import { podVolumeKinds, type VolumeKind, type VolumeSource } from './volume-sources.ts';

export type Volume = VolumeSource & { readonly name: string };

export function describeVolumes(
  text: DescriptionText,
  volumes: readonly Volume[] = [],
  nested = false,
): void {
  const space = nested ? '  ' : '';
  if (volumes.length === 0) return text.line(0, `${space}Volumes:\t<none>`);
  text.line(0, `${space}Volumes:`);
  for (const volume of volumes) {
    text.line(1, `${nested ? ' ' : ''}${volume.name}:`);
    describeSource(text, volume);
  }
}

function describeSource(text: DescriptionText, volume: Volume): void {
  const key = describeKind(text, volume, podVolumeKinds);
  if (key === 'downwardAPI') describeItems(text, volume[key] as VolumeSource);
  if (key === 'projected') describeSources(text, volume[key] as VolumeSource);
  if (key === 'ephemeral') describeTemplate(text, volume[key] as VolumeSource);
}

/** Adds the lines for the source's type. @returns the type */
export function describeKind(
  text: DescriptionText,
  volume: VolumeSource,
  kinds: Readonly<Record<string, VolumeKind>>,
): string | undefined {
  const key = Object.keys(kinds).find((name) => volume[name] !== undefined && volume[name] !== null);
  if (key === undefined) {
    text.line(1, '<unknown>');
    return undefined;
  }
  const kind = kinds[key] as VolumeKind;
  text.field(2, 'Type', kind.about);
  for (const [label, value] of kind.fields(volume[key] as VolumeSource)) {
    text.line(2, `${label}${separator(label)}${value ?? ''}`);
  }
  return key;
}

/** Upstream omits the colon once; a continuation line has no label. */
const separator = (label: string): string => (label === '' || label === 'ISCSIInterface' ? '\t' : ':\t');

function describeTemplate(text: DescriptionText, { volumeClaimTemplate }: VolumeSource): void {
  if (volumeClaimTemplate) describeClaimFields(text, volumeClaimTemplate as PersistentVolumeClaim, '    ');
}

interface DownwardItem {
  readonly path: string;
  readonly fieldRef?: { readonly fieldPath: string };
  readonly resourceFieldRef?: { readonly resource: string };
}

function describeItems(text: DescriptionText, source: VolumeSource): void {
  text.line(2, 'Items:');
  for (const { path, fieldRef, resourceFieldRef } of (source['items'] ?? []) as readonly DownwardItem[]) {
    if (fieldRef) text.line(3, `${fieldRef.fieldPath} -> ${path}`);
    if (resourceFieldRef) text.line(3, `${resourceFieldRef.resource} -> ${path}`);
  }
}

function describeSources(text: DescriptionText, { sources = [] }: { readonly sources?: unknown }): void {
  for (const source of sources as Readonly<Record<string, VolumeSource>>[]) {
    if (source['secret']) {
      text.field(2, 'SecretName', source['secret']['name']);
      text.field(2, 'Optional', source['secret']['optional'] === true);
    } else if (source['downwardAPI']) text.field(2, 'DownwardAPI', true);
    else if (source['configMap']) {
      text.field(2, 'ConfigMapName', source['configMap']['name']);
      text.field(2, 'Optional', source['configMap']['optional'] === true);
    } else if (source['serviceAccountToken']) {
      text.field(2, 'TokenExpirationSeconds', source['serviceAccountToken']['expirationSeconds']);
    }
  }
}
