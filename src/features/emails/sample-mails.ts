import type { NewEmail } from './schema.ts'

const DAY_MS = 86_400_000
const ME = 'Robin Sample <robin@sample.example>'

interface SampleMail extends Omit<NewEmail, 'date' | 'to'> {
  daysAgo: number
  /** By the clock in UTC. */
  at: `${number}:${number}`
  to?: string[]
}

const MAILS: readonly SampleMail[] = [
  {
    daysAgo: 6,
    at: '08:14',
    from: 'Ines Falk <ines@falk-architekten.example>',
    subject: 'Drawings for the Lindenhof extension',
    text: 'Good morning Robin,\n\nthe drawings for the extension are done. Could you look at the ground floor before Friday? The client wants to decide about the staircase.\n\nBest,\nInes',
    messageId: 'sample-1@falk-architekten.example',
    tags: ['work', 'lindenhof'],
    read: true,
  },
  {
    daysAgo: 6,
    at: '09:40',
    folder: 'sent',
    from: ME,
    to: ['Ines Falk <ines@falk-architekten.example>'],
    subject: 'Re: Drawings for the Lindenhof extension',
    text: 'Hi Ines,\n\nI like them a lot. The staircase is too steep for my taste: can we turn it by 90 degrees? Let us talk on Thursday at 10:00.\n\nRobin',
    messageId: 'sample-2@sample.example',
    inReplyTo: 'sample-1@falk-architekten.example',
    tags: ['lindenhof'],
  },
  {
    daysAgo: 5,
    at: '07:02',
    from: 'Stadtwerke Service <service@stadtwerke.example>',
    subject: 'Your invoice 2231-04 is due on the 28th',
    text: 'Dear customer,\n\nyour invoice over 84.20 EUR is due on the 28th. Please transfer the amount with the reference 2231-04.\n\nStadtwerke',
    tags: ['bills'],
    read: true,
  },
  {
    daysAgo: 4,
    at: '12:31',
    from: 'Ines Falk <ines@falk-architekten.example>',
    subject: 'Re: Drawings for the Lindenhof extension',
    text: 'Turning it works, see sheet 3. Thursday at 10:00 suits me. I will bring the model.\n\nInes\n\nOn Monday Robin Sample <robin@sample.example> wrote:\n> The staircase is too steep for my taste: can we turn it by 90 degrees?',
    messageId: 'sample-3@falk-architekten.example',
    inReplyTo: 'sample-2@sample.example',
    references: ['sample-1@falk-architekten.example', 'sample-2@sample.example'],
    tags: ['work', 'lindenhof'],
    starred: true,
  },
  {
    daysAgo: 3,
    at: '18:20',
    from: 'Tom <tom@choir.example>',
    subject: 'Choir: no rehearsal next week',
    text: 'Dear all,\n\nthe hall is being painted, so there is no rehearsal next Tuesday. We go on a week later, at seven as always.\n\nTom',
    tags: ['choir'],
    read: true,
    folder: 'archive',
  },
  {
    daysAgo: 1,
    at: '10:05',
    from: 'Marta Nowak <marta@nowak-legal.example>',
    subject: 'URGENT: signature needed today',
    text: 'Robin,\n\nthe notary needs your signature by 17:00 today, otherwise the appointment on Monday falls through. Can you come by, or shall I send a courier?\n\nMarta',
    tags: ['work'],
    starred: true,
  },
  {
    daysAgo: 1,
    at: '16:44',
    from: 'Mum <heidi@sample.example>',
    subject: 'Sunday lunch?',
    text: 'Are you coming on Sunday? I am making the dumplings. Half past twelve. Bring the photos from the lake!',
    tags: ['family'],
  },
  {
    daysAgo: 0,
    at: '05:30',
    from: 'Ines Falk <ines@falk-architekten.example>',
    subject: 'Minutes of Thursday, and two open points',
    text: 'Hi Robin,\n\nminutes below. Open: (1) you ask the client about the window seat by Wednesday, (2) I get an offer for the oak.\n\nShall we meet again next Thursday at 10:00?\n\nInes',
    tags: ['work', 'lindenhof'],
  },
  {
    daysAgo: 0,
    at: '06:10',
    folder: 'drafts',
    from: ME,
    to: ['Mum <heidi@sample.example>'],
    subject: 'Re: Sunday lunch?',
    text: 'Of course! I will be there at',
  },
]

const dateOf = ({ daysAgo, at }: Pick<SampleMail, 'daysAgo' | 'at'>, now: Date): Date => {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const day = new Date(now.getTime() - daysAgo * DAY_MS)
  day.setUTCHours(hours, minutes, 0, 0)
  return new Date(Math.min(day.getTime(), now.getTime()))
}

/** A believable week of mail up to `now`. */
export const sampleMails = (now: Date): NewEmail[] =>
  MAILS.map(({ daysAgo, at, to = [ME], ...mail }) => ({
    ...mail,
    to,
    date: dateOf({ daysAgo, at }, now).toISOString(),
  }))

/** As a message, for only a message says by which list it came. */
export const sampleNewsletter = (now: Date): Buffer =>
  Buffer.from(
    [
      'From: The Weekly Loom <news@weeklyloom.example>',
      `To: ${ME}`,
      'Subject: Seven small things worth reading',
      `Date: ${dateOf({ daysAgo: 2, at: '06:55' }, now).toUTCString()}`,
      'Message-ID: <sample-4@weeklyloom.example>',
      'List-Id: The Weekly Loom <loom.weeklyloom.example>',
      'List-Unsubscribe: <https://weeklyloom.example/leave/robin>',
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<h1>Seven small things</h1>',
      '<p>This week: how lighthouses were staffed, a bakery that opens at night, and',
      '<a href="https://weeklyloom.example/maps">a map of smells</a>.</p>',
      '',
    ].join('\r\n'),
  )
