export const FORMATS = [
  'mbox',
  'eml',
  'maildir',
  'takeout',
  'ics',
  'vcard',
  'contacts-csv',
  'outlook-calendar-csv',
  'todoist-csv',
  'ticktick-csv',
  'vikunja',
  'google-tasks',
  'archive',
] as const
export type Format = (typeof FORMATS)[number]
