import os from 'node:os';

type Interfaces = NodeJS.Dict<readonly Pick<os.NetworkInterfaceInfo, 'address' | 'internal'>[]>;

/** Addresses of this machine by which others reach it; none while it is in no network. */
export function outerAddresses(interfaces: Interfaces = os.networkInterfaces()): ReadonlySet<string> {
  const all = Object.values(interfaces).flatMap((each) => each ?? []);
  // Those of a cable alone come and go with the cable, and lead nowhere.
  return new Set(all.filter(({ address, internal }) => !internal && !address.startsWith('fe80:')).map(({ address }) => address));
}

/** Notices when an address appears that was not there at the look before. */
export class NetworkWatch {
  readonly #addresses: () => ReadonlySet<string>;
  #before: ReadonlySet<string>;

  constructor(addresses: () => ReadonlySet<string>) {
    this.#addresses = addresses;
    this.#before = addresses();
  }

  isBack(): boolean {
    const before = this.#before;
    this.#before = this.#addresses();
    return [...this.#before].some((address) => !before.has(address));
  }
}
