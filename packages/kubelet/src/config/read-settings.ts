/**
 * Determines the kubelet's settings from its configuration file, a drop-in directory, and flags, which take precedence.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { applyMergePatch } from '@coxswain/apimachinery/merge-patch.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { configurationDocument } from './configuration-document.ts';
import { withFlags, withoutFile } from './flag-settings.ts';
import {
  configurationVersion,
  defaultSettings,
  readKubeletConfiguration,
  type KubeletSettings,
} from './kubelet-configuration.ts';

const dropInExtension = '.conf';

/**
 * @param values all flags, by key
 * @throws Error for a file that can't be read or is not a valid configuration
 */
export function settingsOf(
  values: Readonly<Record<string, unknown>>,
  changed: (key: string) => boolean,
): KubeletSettings {
  const file = String(values['config'] ?? '');
  const directory = String(values['config-dir'] ?? '');
  const fromFile = file === '' ? withoutFile(defaultSettings) : readFileSettings(file);
  return withFlags(directory === '' ? fromFile : withDropIns(fromFile, directory), values, changed);
}

function readFileSettings(file: string): KubeletSettings {
  try {
    return readKubeletConfiguration(readYaml(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`failed to load kubelet config file, path: ${file}, error: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Applies each file as a merge patch, in the order of their names, including subdirectories. */
function withDropIns(settings: KubeletSettings, directory: string): KubeletSettings {
  let document: unknown = configurationDocument(settings);
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort())
    if (path.extname(name) === dropInExtension)
      document = applyMergePatch(document, readDropIn(path.join(directory, name)));
  return readKubeletConfiguration(document);
}

function readDropIn(file: string): unknown {
  const failed = (text: string): Error =>
    new Error(`failed to load kubelet dropin file, path: ${file}, ${text}`);
  let document: unknown;
  try {
    document = readYaml(readFileSync(file, 'utf8'));
  } catch (error) {
    throw failed(`error: ${messageOf(error)}`);
  }
  const { apiVersion = '', kind = '' } = (document ?? {}) as Readonly<Record<string, string>>;
  if (apiVersion === '' && kind === '') throw failed('no apiVersion/kind');
  if (apiVersion === configurationVersion && kind === 'KubeletConfiguration') return document;
  throw failed(`unknown apiVersion/kind: ${apiVersion}, Kind=${kind}`);
}
