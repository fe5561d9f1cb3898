export const SECTION_KEYS = [
  'metadata',
  'headings',
  'accessibility',
  'links',
  'structured-data',
  'social',
  'robots',
  'security',
  'weight',
] as const
export type SectionKey = (typeof SECTION_KEYS)[number]
