import { type ContentLine, parameterOf } from '../../../platform/icalendar/text.ts'

const MAX_LINK_LENGTH = 2000

/** URLs of meetings: the hosts, and the paths where a host also serves other pages. */
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

/** Strips the punctuation of the surrounding sentence. Returns undefined if the text is not a link. */
const cleanLink = (text: string): string | undefined => {
  if (text.length > MAX_LINK_LENGTH) return undefined
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

interface LinkSources {
  lines: ContentLine[]
  location: string
  description: string
}

/**
 * Finds the link to the meeting. Dedicated properties (CONFERENCE of RFC 7986) have precedence over text that
 * mentions a link.
 */
export const findMeetingLink = ({ lines, location, description }: LinkSources): string | null => {
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

/** Whether the line exists to carry the meeting link, and does. */
export const carriesLink = ({ name, value }: ContentLine, link: string): boolean =>
  (name === 'CONFERENCE' || name === 'URL' || OWN.test(name)) && cleanLink(value) === link

/** CONFERENCE is for programs that support RFC 7986, URL for all others. */
export const linkLines = (link: string, withUrl: boolean): string[] => [
  `CONFERENCE;VALUE=URI;FEATURE=VIDEO:${link}`,
  ...(withUrl ? [`URL:${link}`] : []),
]
