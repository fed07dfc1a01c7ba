/** The quality of a state, shown as a colour beside its name: never by colour alone. */

import type { ComponentChildren } from 'preact';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'idle';

export const Dot = ({ tone }: { readonly tone: Tone }) => <span class="dot" data-tone={tone} />;

export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class="badge" data-tone={tone}>
    {children}
  </span>
);
