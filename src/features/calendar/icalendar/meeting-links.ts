import { type ContentLine, parameterOf } from './lines.ts'

const LONGEST_LINK = 2000

/** Where one joins a meeting: hosts and, where they also serve other pages, the paths. */
const MEETINGS = [
  /^meet\.google\.com\/[a-z]{3,4}-|^meet\.google\.com\/lookup\//,
  /^hangouts\.google\.com\/(?:hangouts|call)\//,
  /^(?:[\w-]+\.)*zoom(?:gov)?\.(?:us|com(?:\.cn)?)\/(?:j|my|w|s|wc|meeting)\//,
  /^teams\.(?:microsoft|cloud\.microsoft|live|microsoft\.us)(?:\.com)?\/(?:l\/meetup-join|meet)\//,
  /^teams\.(?:cloud\.)?microsoft\/(?:l\/meetup-join|meet)\//,
  /^(?:[\w-]+\.)*webex\.com\/(?!(?:downloads|pricing|help)\b)./,
  /^(?:meet\.jit\.si|8x8\.vc)\/./,
  /^(?:[\w-]+\.)?whereby\.com\/./,
  /^(?:[\w-]+\.)*(?:gotomeeting\.com\/join|gotomeet\.me|meet\.goto\.com)\/./,
  /^(?:[\w-]+\.)*bluejeans\.com\/./,
  /^(?:join\.skype\.com|meet\.lync\.com)\/./,
  /^chime\.aws\/./,
  /^facetime\.apple\.com\/join/,
  /^(?:meet|jitsi|conf|conference)\.[\w.-]+\.\w+\/[\w%.~-]{3,}$/,
]

const LINK = /https?:\/\/[^\s<>"'\\^`{|}]+/gi

const isMeeting = (link: string): boolean => {
  const address = link.replace(/^https?:\/\//i, '')
  const slash = address.search(/[/?#]/)
  const host = slash < 0 ? address : address.slice(0, slash)
  const place = host.toLowerCase() + (slash < 0 ? '' : address.slice(slash))
  return MEETINGS.some((meeting) => meeting.test(place))
}

/** A link as it may be kept, without the punctuation of a sentence around it. */
const cleanLink = (text: string): string | undefined => {
  if (text.length > LONGEST_LINK) return undefined
  const trimmed = text.trim()
  let end = trimmed.length
  while (end > 0 && '.,;:!?)]>*'.includes(trimmed[end - 1] as string)) end--
  const link = trimmed.slice(0, end)
  return /^https?:\/\//i.test(link) && URL.canParse(link) ? link : undefined
}

const linkIn = (text: string): string | undefined => {
  for (const [found] of text.matchAll(LINK)) {
    const link = cleanLink(found)
    if (link !== undefined && isMeeting(link)) return link
  }
  return undefined
}

const OWN =
  /^(?:X-GOOGLE-CONFERENCE|X-MICROSOFT-SKYPETEAMSMEETINGURL|X-MICROSOFT-ONLINEMEETING(?:EXTERNAL|CONF)LINK|X-ZOOM-MEETING-URL)$/

interface Told {
  lines: ContentLine[]
  location: string
  description: string
}

/** The link to the meeting, from what says it outright (RFC 7986's CONFERENCE) to what only mentions it. */
export const findMeetingLink = ({ lines, location, description }: Told): string | null => {
  const conferences = lines.filter(({ name }) => name === 'CONFERENCE')
  const videos = conferences.filter((line) => /VIDEO/i.test(parameterOf(line, 'FEATURE') ?? ''))
  const own = lines.filter(({ name }) => OWN.test(name))
  for (const { value } of [...videos, ...conferences, ...own]) {
    const link = cleanLink(value)
    if (link !== undefined) return link
  }
  const url = lines.find(({ name }) => name === 'URL')?.value ?? ''
  const place = /^https?:\/\/\S+$/i.test(location) ? cleanLink(location) : undefined
  return linkIn(url) ?? linkIn(location) ?? place ?? linkIn(description) ?? null
}

/** Whether a line is there to tell the meeting's link, and does. */
export const tellsLink = ({ name, value }: ContentLine, link: string): boolean =>
  (name === 'CONFERENCE' || name === 'URL' || OWN.test(name)) && cleanLink(value) === link

/** RFC 7986 for those who know it, URL for everybody else. */
export const linkLines = (link: string, withUrl: boolean): string[] => [
  `CONFERENCE;VALUE=URI;FEATURE=VIDEO:${link}`,
  ...(withUrl ? [`URL:${link}`] : []),
]
