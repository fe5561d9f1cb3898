import type { Shape } from '../../api/client.ts'

type Role = Shape<'Share'>['role']

export const shareTitle = (name: string) => `„${name}“ freigeben`
export const shareHelp =
  'Die Person braucht auf dieser Instanz ein Konto mit dieser Adresse. Sie sieht das Angebot nach der Anmeldung.'
export const share = 'Freigeben'
export const email = 'E-Mail-Adresse'
export const role = 'Zugriff'
export const roles = {
  viewer: 'Kann ansehen',
  editor: 'Kann bearbeiten',
  freeBusy: 'Sieht nur, wann du belegt bist',
} satisfies Record<Role, string>
export const sharedWith = 'Freigegeben für'
export const notShared = 'Für niemanden freigegeben'
export const waiting = 'Wartet auf Antwort'
export const declined = 'Abgelehnt'
export const offerAgain = 'Erneut anbieten'
export const offerAgainTo = (person: string) => `${person} erneut anbieten`
export const roleOf = (person: string) => `Zugriff von ${person}`
export const stopSharingWith = (person: string) => `Freigabe für ${person} beenden`

export const offered = (person: string) => `${person} angeboten`
export const roleChanged = ({ person, role: chosen }: { person: string; role: string }) =>
  `Zugriff von ${person}: ${chosen}`
export const stoppedSharing = (person: string) => `Freigabe für ${person} beendet`

export const kinds = { taskList: 'Aufgabenliste', calendar: 'Kalender' }
export const offers = 'Angebote'
export const offersHelp = 'Nach dem Annehmen erscheinen sie bei deinen Kalendern und Listen.'
export const noOffers = 'Keine Angebote'
export const offersAppearHere = 'Kalender und Aufgabenlisten, die dir andere anbieten, erscheinen hier.'
export const sharedWithYou = 'Für dich freigegeben'
export const sharedWithYouHelp = 'Änderungen siehst du sofort. Erinnerungen gelten nur für dich.'
export const nothingShared = 'Nichts ist für dich freigegeben'
export const nothingSharedHelp = 'Angenommene Kalender und Aufgabenlisten erscheinen hier.'
export const ownedBy = ({ name, email: address }: { name: string; email: string }) => `${name} (${address})`
export const accept = 'Annehmen'
export const acceptNamed = (name: string) => `„${name}“ annehmen`
export const decline = 'Ablehnen'
export const declineNamed = (name: string) => `„${name}“ ablehnen`
export const leave = 'Verlassen'
export const leaveNamed = (name: string) => `„${name}“ verlassen`
export const leaveTitle = (name: string) => `„${name}“ verlassen?`
export const leaveHelp = (owner: string) =>
  `Du siehst den Inhalt nicht mehr, und deine Erinnerungen dazu werden gelöscht. Nur ${owner} kann ihn erneut für dich freigeben.`
export const open = 'Öffnen'

export const acceptedNamed = (name: string) => `„${name}“ angenommen`
export const declinedNamed = (name: string) => `„${name}“ abgelehnt`
export const offerKept = (name: string) => `Angebot „${name}“ behalten`
export const notDeclined = (reason: string) => `Nicht abgelehnt. ${reason}`
export const left = (name: string) => `Du hast „${name}“ verlassen`
