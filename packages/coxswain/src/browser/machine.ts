/** In place of `cluster/machine.ts`: a page is no machine. */
import type { Component } from '../components/components.ts';

export const mustBeOfThisAuthority = (): Promise<void> => Promise.resolve();

export const machineComponents = (): readonly Component[] => [];

export const certificateSettings = (): object => ({});

export const ownNodeName = (): string | undefined => undefined;
