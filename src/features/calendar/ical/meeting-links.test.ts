import { describe, expect, it } from 'vitest'
import { readLine } from '../../../platform/icalendar/text.ts'
import { findMeetingLink } from './meeting-links.ts'

const find = (sources: { lines?: string[]; location?: string; description?: string }): string | null =>
  findMeetingLink({
    lines: (sources.lines ?? []).flatMap((line) => readLine(line) ?? []),
    location: sources.location ?? '',
    description: sources.description ?? '',
  })

describe('findMeetingLink', () => {
  it.each([
    'https://meet.google.com/abc-defg-hij',
    'https://us02web.zoom.us/j/89012345678?pwd=a1B2',
    'https://zoom.us/my/somebody',
    'https://teams.microsoft.com/l/meetup-join/19%3ameeting_x%40thread.v2/0?context=%7b%22Tid%22%7d',
    'https://teams.live.com/meet/9312345678901',
    'https://teams.microsoft.com/meet/2345?p=abc',
    'https://acme.webex.com/meet/somebody',
    'https://meet.jit.si/OurRoom',
    'https://whereby.com/our-room',
    'https://acme.whereby.com/our-room',
    'https://meet.example.org/team-call',
  ])('finds a link in text: %s', (link) => {
    expect(find({ description: `Hello,\njoin (${link}).\nBye` })).toBe(link)
    expect(find({ location: `Room 5; ${link}` })).toBe(link)
    expect(find({ lines: [`URL:${link}`] })).toBe(link)
  })

  it.each([
    'https://zoom.us/pricing',
    'https://www.example.com/meeting',
    'https://support.google.com/meet',
    'https://microsoft.com/teams',
    'ftp://meet.jit.si/room',
    'https://notzoom.us.example.com/j/1',
  ])('ignores %s', (link) => {
    expect(find({ description: link, lines: [`URL:${link}`] })).toBeNull()
  })

  it('prefers CONFERENCE with any host, video first', () => {
    const lines = [
      'CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+1-412-555-0123',
      'CONFERENCE;VALUE=URI;FEATURE=CHAT:https://chat.example.com/1',
      'CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:https://video.example.com/1',
      'URL:https://zoom.us/j/1',
    ]
    expect(find({ lines })).toBe('https://video.example.com/1')
    expect(find({ lines: lines.slice(0, 2) })).toBe('https://chat.example.com/1')
  })

  it.each(['X-GOOGLE-CONFERENCE', 'X-MICROSOFT-SKYPETEAMSMEETINGURL'])('reads %s', (name) => {
    expect(find({ lines: [`${name}:https://calls.example.com/1`] })).toBe('https://calls.example.com/1')
  })

  it('accepts a location that is only a link', () => {
    expect(find({ location: 'https://calls.example.com/1' })).toBe('https://calls.example.com/1')
    expect(find({ location: 'Lobby, https://calls.example.com/1' })).toBeNull()
  })
})
