import type { Shape } from '../../api/client.ts'
import { formatNumber, plural } from '../format.ts'

export const stream = 'Stream'
export const streamHelp = 'Captions, goals and overlay for your stream'

export const broadcast = 'Live stream'
export const live = 'Live'
export const offline = 'Offline'
export const liveSince = ({ time, viewers }: { time: string; viewers: number }) =>
  plural(viewers, {
    one: `Live since <time>${time}</time>, 1 viewer`,
    other: `Live since <time>${time}</time>, ${formatNumber(viewers)} viewers`,
  })
export const offlineHelp = 'Captions you send now are a rehearsal'
export const titleAndScene = 'Title and scene'
export const title = 'Title'
export const scene = 'Scene'
export const goLive = 'Go live'
export const endStream = 'End stream'
export const hideOverlay = 'Hide overlay'
export const showOverlay = 'Show overlay'
export const overlayIsHidden = 'The overlay is hidden. New captions are saved, but not shown.'
export const youAreLive = 'You are live'
export const streamEnded = 'Stream ended'
export const overlayHidden = 'Overlay hidden'
export const overlayVisible = 'Overlay shown'
export const titleAndSceneSaved = 'Title and scene saved'

export const captions = 'Captions'
export const captionsHelp = 'Newest first'
export const newCaption = 'New caption'
export const caption = 'Caption'
export const send = 'Send'
export const captionLanguage = 'Language'
export const defaultLanguage = 'Default'
export const noCaptions = 'No captions yet'
export const noCaptionsHelp = 'Type one above, or use the API.'
export const edited = 'Edited'
export const editNamed = (text: string) => `Edit “${text}”`
export const deleteNamed = (text: string) => `Delete “${text}”`
export const editCaption = 'Edit caption'
export const editCaptionHelp = 'Also changes the overlay'
export const text = 'Text'
export const speaker = 'Speaker'
export const captionDeleted = 'Caption deleted'

export const pastStreams = 'Past streams'
export const pastStreamsHelp = 'Download captions as WebVTT or SRT'
export const noPastStreams = 'No past streams'
export const noPastStreamsHelp = 'Ended streams appear here.'
export const rehearsal = 'Rehearsal'
export const untitled = 'Untitled'
export const captionCount = ({ count, language }: { count: number; language: string }) =>
  plural(count, {
    one: `1 caption in ${language}`,
    other: `${formatNumber(count)} captions in ${language}`,
  })
export const downloadCaptions = ({ language, format }: { language: string; format: string }) =>
  `Captions in ${language} (.${format})`
export const moreFor = (name: string) => `More for ${name}`
export const deleted = (name: string) => `“${name}” deleted`
export const restored = (name: string) => `“${name}” restored`

export const overlay = 'Overlay'
export const overlayHelp = 'Use as a browser source, for example in OBS'
export const overlayPreview = 'Overlay preview'
export const privateLinkHelp = 'If sign-in is required, use a private link.'
export const createPrivateLink = 'Create private link'
export const privateLink = 'Private overlay link'
export const privateLinkWarning =
  'Copy the link now. It is shown only once. Anyone with the link can see the overlay. Delete it in Settings, Private links.'

export const goals = 'Goals'
export const goalsHelp = 'Shown on the overlay with their progress'
export const newGoal = 'New goal'
export const editGoal = 'Edit goal'
export const addGoal = 'Add goal'
export const noGoals = 'No goals yet'
export const noGoalsHelp = 'Add a goal, then track your progress.'
export const target = 'Target'
export const unit = 'Unit'
export const unitExample = 'For example followers'
export const source = 'Source'
export const sources = {
  manual: 'Manual',
  tasks_completed: 'Completed tasks',
  bookings: 'Bookings',
  emails_received: 'Received email',
} satisfies Record<Shape<'Milestone'>['source'], string>
export const reached = 'Reached'
export const progress = ({
  current,
  target: wanted,
  unit: of,
}: {
  current: number
  target: number
  unit: string
}) => `${formatNumber(current)} of ${formatNumber(wanted)} ${of}`
export const addTo = (name: string) => `Add to ${name}`
export const amount = 'Amount'
export const amountFor = (name: string) => `Amount to add to ${name}`
export const add = 'Add'

export const streamKeys = 'Stream keys'
export const streamKeysHelp = 'Encrypted, and never shown again'
export const addKey = 'Add key'
export const addStreamKey = 'Add stream key'
export const addStreamKeyHelp = 'Replaces the existing key of the platform'
export const noKeys = 'No stream keys'
export const noKeysHelp = 'Store the key of each platform here.'
export const savedAt = (time: string) => `Saved <time>${time}</time>`
export const platform = 'Platform'
export const platformExample = 'For example twitch or youtube'
export const streamKey = 'Stream key'
export const serverUrl = 'Server URL'
export const serverUrlExample = 'Optional, for example rtmps://live.example.com'
export const deleteKey = (name: string) => `Delete the key for ${name}`
export const confirmDeleteKey = (name: string) => `Delete the key for ${name}?`
export const cannotBeUndone = 'This cannot be undone.'
