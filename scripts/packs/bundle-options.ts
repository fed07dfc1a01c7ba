/** The common options of all published bundles. */

import path from 'node:path';
import type { InputOptions } from 'rolldown';
import { oldestNode } from '../../packages/coxswain/bin/oldest-node.cjs';
import { notingPackages } from './third-party.ts';

/** Packages needed so rarely that they are not bundled. */
export const external: readonly string[] = ['@peculiar/x509', 'reflect-metadata'];

/** lmdb's encoder can do without, and everything here is bytes already. */
const notInstalled = 'msgpackr-extract';

const beside = (file: string): string => path.join(import.meta.dirname, file);
const [node, json] = [beside('older-node.ts'), beside('older-json.ts')];

/** By the function: the one that is called in its place. */
const inject: Record<string, [file: string, name: string]> = {
  AbortController: [node, 'abortController'],
  'AbortSignal.any': [node, 'abortAny'],
  'Array.fromAsync': [node, 'fromAsync'],
  'Map.groupBy': [node, 'groupBy'],
  'Promise.try': [node, 'attempt'],
  'Promise.withResolvers': [node, 'withResolvers'],
  'Uint8Array.fromBase64': [node, 'fromBase64'],
  'JSON.isRawJSON': [json, 'isRawJson'],
  'JSON.parse': [json, 'parse'],
  'JSON.rawJSON': [json, 'rawJson'],
  'JSON.stringify': [json, 'stringify'],
};

export const bundleOptions = {
  platform: 'node',
  transform: { target: `node${oldestNode}`, inject },
  resolve: { alias: { 'node-gyp-build-optional-packages': beside('native-lmdb.ts') } },
  external: (id) => [...external, notInstalled].some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [notingPackages],
  logLevel: 'warn',
  checks: {
    // That of ordered-binary, which it does only where it may.
    eval: false,
    // What one program loads when it is needed, another has from the start.
    ineffectiveDynamicImport: false,
  },
} satisfies InputOptions;
