import type { Shape } from '../../api/client.ts'

type Role = Shape<'Share'>['role']

export const shareTitle = (name: string) => `Share “${name}”`
export const shareHelp =
  'The person needs an account on this instance with that address. They see the offer after signing in.'
export const share = 'Share'
export const email = 'Email address'
export const role = 'Access'
export const roles = {
  viewer: 'Can view',
  editor: 'Can edit',
  freeBusy: 'Sees only when you are busy',
} satisfies Record<Role, string>
export const sharedWith = 'Shared with'
export const notShared = 'Not shared with anybody'
export const waiting = 'Waiting for answer'
export const declined = 'Declined'
export const offerAgain = 'Offer again'
export const offerAgainTo = (person: string) => `Offer again to ${person}`
export const roleOf = (person: string) => `Access of ${person}`
export const stopSharingWith = (person: string) => `Stop sharing with ${person}`

export const offered = (person: string) => `Offered to ${person}`
export const roleChanged = ({ person, role: chosen }: { person: string; role: string }) =>
  `Access of ${person}: ${chosen}`
export const stoppedSharing = (person: string) => `No longer shared with ${person}`

export const kinds = { taskList: 'Task list', calendar: 'Calendar' }
export const offers = 'Offers'
export const offersHelp = 'Accepted ones appear with your calendars and lists.'
export const noOffers = 'No offers'
export const offersAppearHere = 'Calendars and task lists that others offer you appear here.'
export const sharedWithYou = 'Shared with you'
export const sharedWithYouHelp = 'You see changes at once. Reminders are your own.'
export const nothingShared = 'Nothing is shared with you'
export const nothingSharedHelp = 'Accepted calendars and task lists appear here.'
export const ownedBy = ({ name, email: address }: { name: string; email: string }) => `${name} (${address})`
export const accept = 'Accept'
export const acceptNamed = (name: string) => `Accept “${name}”`
export const decline = 'Decline'
export const declineNamed = (name: string) => `Decline “${name}”`
export const leave = 'Leave'
export const leaveNamed = (name: string) => `Leave “${name}”`
export const leaveTitle = (name: string) => `Leave “${name}”?`
export const leaveHelp = (owner: string) =>
  `You no longer see it, and your reminders for it are deleted. Only ${owner} can share it with you again.`
export const open = 'Open'

export const acceptedNamed = (name: string) => `“${name}” accepted`
export const declinedNamed = (name: string) => `“${name}” declined`
export const offerKept = (name: string) => `Offer of “${name}” kept`
export const notDeclined = (reason: string) => `Not declined. ${reason}`
export const left = (name: string) => `You left “${name}”`
