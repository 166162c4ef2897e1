//===- CodeObjectResources.cpp - resource usage of AMD GPU kernels ------------------------------------------------===//
//
// The driver calls readResources() for code objects that it has just written. So unexpected metadata is a bug in tcc.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/amd/CodeObjectResources.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELF.h"

using namespace llvm;

namespace tilecc::amd {

static std::vector<CodeResources> readMetadata(StringRef blob) {
  msgpack::Document document;
  if (!document.readFromBlob(blob, /*Multi=*/false))
    reportFatalInternalError("the metadata of a code object is not in MessagePack format");
  std::vector<CodeResources> all;
  msgpack::MapDocNode &root = document.getRoot().getMap(/*Convert=*/true);
  for (msgpack::DocNode &node : root["amdhsa.kernels"].getArray(/*Convert=*/true)) {
    msgpack::MapDocNode &kernel = node.getMap();
    auto number = [&](StringRef name) { return static_cast<unsigned>(kernel[name].getUInt()); };
    const unsigned vgprs = number(".vgpr_count"), spilledVgprs = number(".vgpr_spill_count");
    all.push_back({kernel[".name"].getString().str(),
                   {{"VGPRs", vgprs}, // per lane; on CDNA, this includes AGPRs
                    {"SGPRs", number(".sgpr_count")}, // per wave
                    {"spilled VGPRs", spilledVgprs}, // to scratch memory
                    {"spilled SGPRs", number(".sgpr_spill_count")}, // to lanes of VGPRs
                    {"scratch", number(".private_segment_fixed_size")}, // bytes per lane
                    {"LDS", number(".group_segment_fixed_size")}}, // bytes per work-group
                   "VGPRs",
                   vgprs,
                   spilledVgprs});
  }
  return all;
}

std::vector<CodeResources> readResources(StringRef codeObject) {
  auto file = cantFail(object::ELF64LEFile::create(codeObject));
  StringRef metadata;
  for (const auto &segment : cantFail(file.program_headers())) {
    if (segment.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (const auto &note : file.notes(segment, error))
      if (note.getType() == ELF::NT_AMDGPU_METADATA)
        metadata = note.getDescAsStringRef(segment.p_align);
    cantFail(std::move(error));
  }
  return readMetadata(metadata);
}

} // namespace tilecc::amd
