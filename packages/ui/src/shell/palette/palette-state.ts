import { signal } from '@preact/signals';

export type PaletteScope = 'everything' | 'kinds';

export const palette = signal<PaletteScope | undefined>(undefined);

export function openPalette(scope: PaletteScope): void {
  palette.value = scope;
}

export function closePalette(): void {
  palette.value = undefined;
}
