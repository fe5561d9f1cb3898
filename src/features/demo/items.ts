// The items of the sample, which are the same in all languages. `en.ts` and `de.ts` have their texts under the same
// names.

/**
 * A day relative to today: `0`, `-3`, or `w2` for the second working day from today, and `w-2` for the second one
 * before. `w0` is today, or the next working day on a weekend. `sat` and `sun` are the coming ones. `wed` is a Wednesday
 * one or two weeks ago.
 */
export type SampleDay = number | `w${number}` | 'sat' | 'sun' | 'wed'

/** A local time such as `09:30`. */
export type SampleTime = `${number}:${number}`

export interface SampleMail {
  day: number
  /** For today, the time is how long ago the message arrived. */
  time: SampleTime
  /** A key of `people`, as in `to` and `cc`. */
  from: string
  /** The message that this one answers. */
  re?: string
  to?: readonly string[]
  cc?: readonly string[]
  folder?: 'archive' | 'drafts' | 'junk'
  tags?: readonly string[]
  unread?: true
  starred?: true
}

export interface SampleEvent {
  day: SampleDay
  /** Without a time, an event takes whole days. */
  time?: SampleTime
  /** The minutes, or the days. */
  length: number
  calendar?: 'family' | 'choir'
  meetingUrl?: string
  tags?: readonly string[]
  recurrence?: string
  tentative?: true
  bookingId?: string
  /** Keys of `people`; the first one is the organizer. */
  people?: readonly string[]
  remind?: number
}

export interface SampleTask {
  /** The days from now, and an hour. */
  due?: readonly [number, number?]
  closedDaysAgo?: number
  status?: 'doing' | 'done' | 'cancelled'
  priority?: 'low' | 'high' | 'urgent'
  tags?: readonly string[]
  list?: 'work' | 'home' | 'groceries'
  recurrence?: string
  estimateMinutes?: number
}

export const MAILS = {
  brief: { day: -13, time: '09:20', from: 'brandt', tags: ['lindenhof'], cc: ['ines'] },
  briefReceived: {
    day: -12,
    time: '11:05',
    from: 'me',
    re: 'brief',
    to: ['brandt'],
    cc: ['ines'],
    tags: ['lindenhof'],
  },
  briefThanks: { day: -11, time: '16:40', from: 'brandt', re: 'briefReceived', tags: ['lindenhof'] },
  drawings: { day: -9, time: '08:14', from: 'ines', tags: ['work', 'lindenhof'] },
  drawingsAnswer: { day: -9, time: '09:40', from: 'me', re: 'drawings', to: ['ines'], tags: ['lindenhof'] },
  drawingsTurned: {
    day: -7,
    time: '12:31',
    from: 'ines',
    re: 'drawingsAnswer',
    tags: ['work', 'lindenhof'],
    starred: true,
  },
  drawingsAccepted: {
    day: -6,
    time: '10:12',
    from: 'me',
    re: 'drawingsTurned',
    to: ['ines'],
    tags: ['lindenhof'],
  },
  minutes: { day: 0, time: '2:40', from: 'ines', tags: ['work', 'lindenhof'], unread: true },
  signature: { day: -1, time: '10:05', from: 'marta', tags: ['work'], starred: true, unread: true },
  passport: { day: -1, time: '11:30', from: 'marta', re: 'signature', tags: ['work'], unread: true },
  lunch: { day: -2, time: '16:44', from: 'mum', tags: ['family'], unread: true },
  lunchDraft: { day: 0, time: '1:10', from: 'me', re: 'lunch', to: ['mum'], folder: 'drafts' },
  choir: { day: -10, time: '18:20', from: 'tom', tags: ['choir'], folder: 'archive' },
  choirQuestion: { day: -9, time: '20:02', from: 'me', re: 'choir', to: ['tom'], tags: ['choir'] },
  choirAnswer: { day: -8, time: '07:45', from: 'tom', re: 'choirQuestion', tags: ['choir'] },
  vienna: { day: -8, time: '13:05', from: 'ana', tags: ['travel'] },
  viennaLater: { day: -8, time: '14:22', from: 'me', re: 'vienna', to: ['ana'], tags: ['travel'] },
  viennaAgreed: { day: -7, time: '09:10', from: 'ana', re: 'viennaLater', tags: ['travel'] },
  hotel: { day: -7, time: '09:02', from: 'hotel', tags: ['travel'] },
  train: { day: -3, time: '19:15', from: 'rail', tags: ['travel'], unread: true },
  workshop: { day: -6, time: '15:20', from: 'lindgren', tags: ['work'] },
  workshopAnswer: { day: -6, time: '17:48', from: 'me', re: 'workshop', to: ['lindgren'], tags: ['work'] },
  workshopReminder: {
    day: 0,
    time: '4:30',
    from: 'lindgren',
    re: 'workshopAnswer',
    tags: ['work'],
    unread: true,
  },
  cafe: { day: -5, time: '10:00', from: 'li', tags: ['work'] },
  cafeAnswer: { day: -4, time: '08:30', from: 'me', re: 'cafe', to: ['li'], tags: ['work'] },
  cafeWindow: { day: -4, time: '12:12', from: 'li', re: 'cafeAnswer', tags: ['work'] },
  electricity: { day: -5, time: '07:02', from: 'utility', tags: ['bills'] },
  heating: { day: -4, time: '09:00', from: 'landlord', tags: ['home'] },
  heatingQuestion: { day: -4, time: '18:02', from: 'me', re: 'heating', to: ['landlord'], tags: ['home'] },
  heatingAnswer: { day: -3, time: '10:20', from: 'landlord', re: 'heatingQuestion', tags: ['home'] },
  lake: { day: -3, time: '21:15', from: 'jonas', tags: ['friends'] },
  lakeAnswer: { day: -2, time: '08:05', from: 'me', re: 'lake', to: ['jonas'], tags: ['friends'] },
  parcel: { day: -2, time: '11:40', from: 'parcel', folder: 'archive' },
  parcelDelivered: { day: -1, time: '12:58', from: 'parcel', unread: true },
  library: { day: -6, time: '06:30', from: 'library', tags: ['reading'] },
  dentist: { day: -2, time: '14:00', from: 'dentist', tags: ['health'] },
  statement: { day: -8, time: '03:10', from: 'bank', folder: 'archive', tags: ['money'] },
  assembly: { day: -3, time: '12:00', from: 'coop', unread: true },
  prize: { day: -5, time: '02:47', from: 'spam', folder: 'junk', unread: true },
} satisfies Readonly<Record<string, SampleMail>>

export const EVENTS = {
  standUp: {
    day: 'w-10',
    time: '09:30',
    length: 15,
    recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    meetingUrl: 'https://meet.example.org/stand-up',
    tags: ['work'],
  },
  review: { day: 'w0', time: '14:00', length: 60, people: ['ana', 'li'], tags: ['work'] },
  call: { day: 'w0', time: '11:00', length: 45, tags: ['lindenhof'], people: ['brandt'] },
  seatingPlan: { day: 'w1', time: '10:00', length: 60, people: ['li'], tags: ['work'] },
  portfolio: { day: 'w1', time: '15:00', length: 60, bookingId: 'sample-booking-1', people: ['lindgren'] },
  notary: { day: 'w2', time: '11:30', length: 30, people: ['marta'], remind: 60 },
  budget: { day: 'w2', time: '11:45', length: 30, tentative: true, tags: ['work'] },
  heating: { day: 'w3', time: '09:00', length: 60, calendar: 'family' },
  dentist: { day: 'w3', time: '16:30', length: 30, remind: 60 },
  lindenhof: { day: 'w4', time: '10:00', length: 60, people: ['ines'], tags: ['lindenhof'] },
  train: { day: 'w6', time: '08:28', length: 242, tags: ['travel'] },
  vienna: { day: 'w6', length: 2, tags: ['travel'] },
  lindenhofFirst: { day: 'w-7', time: '10:00', length: 60, people: ['ines'], tags: ['lindenhof'] },
  lindenhofSecond: { day: 'w-1', time: '10:00', length: 60, people: ['ines'], tags: ['lindenhof'] },
  rehearsal: {
    day: 'wed',
    time: '19:00',
    length: 120,
    calendar: 'choir',
    recurrence: 'FREQ=WEEKLY;BYDAY=WE',
  },
  games: { day: 'sat', time: '19:00', length: 180, calendar: 'family' },
  lunch: { day: 'sun', time: '12:30', length: 120, calendar: 'family' },
  birthday: { day: 8, length: 1, calendar: 'family' },
  concert: { day: 20, time: '19:30', length: 120, calendar: 'choir' },
} satisfies Readonly<Record<string, SampleEvent>>

export const TASKS = {
  offer: { due: [-1, 16], priority: 'high', tags: ['work'], list: 'work', estimateMinutes: 60 },
  windowSeat: { due: [2], tags: ['lindenhof'], list: 'work', estimateMinutes: 15 },
  seatingPlan: {
    due: [1, 9],
    priority: 'urgent',
    status: 'doing',
    tags: ['work'],
    list: 'work',
    estimateMinutes: 150,
  },
  materials: { due: [9], tags: ['lindenhof'], list: 'work', estimateMinutes: 120 },
  plants: { due: [0, 18], recurrence: 'FREQ=WEEKLY', tags: ['home'], list: 'home', estimateMinutes: 15 },
  rent: { due: [4], recurrence: 'FREQ=MONTHLY', priority: 'high', tags: ['home', 'money'], list: 'home' },
  parcel: { due: [0], list: 'home', estimateMinutes: 10 },
  tickets: { due: [5, 17], tags: ['travel'] },
  cake: { due: [3], list: 'home', estimateMinutes: 90 },
  flour: { list: 'groceries' },
  eggs: { list: 'groceries' },
  lemons: { list: 'groceries' },
  coffee: { list: 'groceries', status: 'done', closedDaysAgo: 1 },
  reading: { priority: 'low', tags: ['reading'], estimateMinutes: 90 },
  train: { status: 'done', closedDaysAgo: 3, tags: ['travel'] },
  receipts: { status: 'done', closedDaysAgo: 1, tags: ['money'] },
  drawings: { status: 'done', closedDaysAgo: 5, tags: ['lindenhof'], list: 'work' },
  photos: { status: 'cancelled', closedDaysAgo: 5, priority: 'low' },
} satisfies Readonly<Record<string, SampleTask>>

/** Comments on tasks, with their hour. */
export const COMMENTS = {
  measures: { task: 'seatingPlan', day: -1, time: '11:20' },
} satisfies Readonly<Record<string, { task: keyof typeof TASKS; day: number; time: SampleTime }>>

/** Time that was spent on tasks. */
export const TIME_ENTRIES: readonly {
  task: keyof typeof TASKS
  day: number
  from: SampleTime
  to: SampleTime
}[] = [
  { task: 'seatingPlan', day: -1, from: '10:30', to: '11:20' },
  { task: 'seatingPlan', day: -2, from: '16:00', to: '16:25' },
]

export const INVITATION = { day: 'w3', time: '14:00' } as const
